// Make index tensors on the device of their input.
//
// Question: 20 -> 2 s an epoch on an A30, by making indices elsewhere. What share of it do you expect on a
// CPU, and why?
//
// Lesson: workloads/stgym/measure/graph_trial.hpp
//
// The pooling layer numbers the entries of its sparse matrices. Made on the host, these int64 tensors, one
// number per entry, are larger than the values they index: 4,416 bytes a node in every forward pass, copied
// from pageable memory, and each copy waits for the device. Made on the device they cost a kernel and move
// nothing.
//
// How much depends on the host's memory. By its profile the A30's host staged about 0.9 GB/s: 6.5 s of copies
// for some 6 GB. An H200's host staged 5.7 GB/s, made the tensors on 15 threads, and kept its pages, where
// glibc gives them back under Python. A step there became 34 % shorter, an epoch of the author's 90 %.
//
// When it does not matter: on the CPU, where the same tensors are made in the same place; for indices of a
// few kilobytes, whose copy is lost among the launches.
//
// A row times a training step, or an epoch (`unit`): all earlier changes without this one, against all
// earlier changes with it, or the first published version against all of them (`against`). `published_host`
// is `below` on a host like the author's: one thread makes the tensors, and freed memory goes back to the
// system, so that every tensor's pages are new. The data set lies on the GPU, as in the post.
//
// Answer: None: on a CPU the same tensors are made in the same place. The published share was copies from
// fresh pageable memory, for which device and host waited. On our H200s a step became 34 % shorter
// (131 -> 86.5 ms, commit 8d18999), and 66 % with one thread and fresh pages.

#include "harness/machine/heap.hpp"

#include "workloads/stgym/measure/graph_trial.hpp"

#include <ATen/Parallel.h>

namespace workloads::stgym_device_indices {

using namespace harness;

constexpr PublishedFigure published[] = {
    {.name = "Self CPU", .unit = "s", .before = 50.3, .after = 7.0, .where = stgym::post_profile},
    {.name = "Self CUDA", .unit = "s", .before = 11.9, .after = 3.9, .where = stgym::post_profile},
    {.name = "aten::copy_ calls", .unit = "calls", .before = 8335, .where = stgym::post_profile},
    {.name = "aten::copy_ Self CPU", .unit = "s", .before = 21.6, .where = stgym::post_profile},
    {.name = "aten::copy_ Self CUDA", .unit = "s", .before = 7.0, .where = stgym::post_profile},
    {.name = "Memcpy HtoD calls", .unit = "calls", .before = 1231, .where = stgym::post_profile},
    {.name = "Memcpy HtoD time", .unit = "s", .before = 6.54, .where = stgym::post_profile},
};

enum Base : std::int64_t { below, naive, published_host };
constexpr Axis axes[] = {{.name = "against",
                          .about = "below: the kept rungs below this one; naive: the first published "
                                   "version; published_host: below, with one "
                                   "thread and a heap that gives its pages back",
                          .quick = {below},
                          .full = {below, published_host},
                          .labels = {"below", "naive", "published_host"}},
                         stgym::unit_axis(stgym::step_and_epoch, stgym::only_step)};

/// On the CPU nothing is copied to a device.
bool takes(const Point& point, const Device& device) {
  return point["against"] != published_host || device.is_cuda();
}

/// While it lives one thread works, and freed memory goes back to the system.
class PublishedHost {
 public:
  explicit PublishedHost(int threads) : threads_(threads) {
    at::set_num_threads(1);
    give_back_freed_memory();
  }
  ~PublishedHost() {
    at::set_num_threads(threads_);
    keep_freed_memory();
  }
  PublishedHost(const PublishedHost&) = delete;
  PublishedHost& operator=(const PublishedHost&) = delete;

 private:
  int threads_;  // of the session
};

Trial prepare(Setup& setup, const Point& point) {
  const auto change = &stgym::Switches::device_indices;
  if (point["against"] != published_host) return stgym::rung_trial(setup, point, change);
  const auto host = std::make_shared<const PublishedHost>(setup.threads);
  auto trial = stgym::forms_trial(setup, {.naive = stgym::below(change),
                                          .optimized = stgym::with(change),
                                          .unit = stgym::TimedUnit{point["unit"]}});
  trial.naive = [host, run = std::move(trial.naive)] { run(); };
  return trial;
}

extern constexpr Step step = checked(stgym::published_step({
    .id = "stgym/device_indices",
    .claim = "Making the index tensors of the pooling layer on the device of their input shortens a training "
             "step.",
    .claim_ids = "xfer-stgym-index-build xfer-create-on-device",
    .source = stgym::post("step 2 (commit ac134c6)"),
    .axes = axes,
    .takes = takes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps,
                    .published = "20 -> 2 s/epoch (A30)",
                    .on_cpu = Outcome::no_effect,
                    .about = "against:below"},
    .published_profile = published,
}));

}  // namespace workloads::stgym_device_indices
