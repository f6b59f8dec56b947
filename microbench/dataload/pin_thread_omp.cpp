// Give the thread that copies batches one OpenMP thread.
//
// Question: A loader's thread copies batches of 8 MiB into pinned memory while the training computes. With
// all cores the copy is quicker. Is the training?
//
// LibTorch splits the copy of a large tensor among OpenMP threads, and each thread that calls it has a team
// of its own: the loader's thread and the training's together then run twice as many threads as there are
// cores. Whoever waits for the slowest of its team waits for one that has no core. PyTorch's loader therefore
// limits its pinning thread to one OpenMP thread; a program that copies in a thread of its own has to do so
// itself.
//
// When it does not matter: for tensors too small to be split, and with cores to spare. In OpenMP the setting
// belongs to the thread that makes it; in PyTorch `torch.set_num_threads` also counts for threads that have
// not computed yet.
//
// A row has one thread copy 16 batches ahead while the main thread multiplies matrices, on all cores, and
// adds up each batch. The first side leaves the copying thread its team; the second sets it to one thread.
// The target is ordinary memory, so that the row runs without a device.
//
// Answer: No, or not by as much: while the copy has a team of its own, twice as many threads as cores run,
// and the training's products wait for the slowest of theirs. With one thread the copy takes longer beside
// the training, where nobody waits for it.

#include "harness/support/thread_loader.hpp"

#include "microbench/cpu/threads.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/tensors.hpp"

namespace microbench::dataload_pin_thread_omp {

constexpr std::int64_t batches = 16;
constexpr Axis axes[] = {{.name = "bytes",
                          .about = "of a batch",
                          .values = {64 << 10, 8 << 20},
                          .quick = {8 << 20},
                          .unit = Unit::bytes}};

struct State {
  State(const Setup& setup, std::int64_t bytes)
      : source(random_values({bytes / static_cast<std::int64_t>(sizeof(float))}, setup.seed)),
        matrix(random_values({256, 256}, setup.seed + 1)),
        product(at::empty_like(matrix)),
        sums(at::zeros({batches})) {}

  void epoch(int team) {
    const ThreadPlan plan{
        .batches = batches, .workers = 1, .on_start = [team] { at::set_num_threads(team); }};
    ThreadLoader<at::Tensor> copies(plan, [this](std::int64_t) { return source.clone(); });
    for (std::int64_t i = 0; const auto batch = copies.next(); ++i) {
      at::mm_out(product, matrix, matrix);
      sums[i] = batch->sum() + product[0][0];
    }
  }

  at::Tensor source, matrix, product, sums;
};

Trial prepare(Setup& setup, const Point& point) {
  const int all = several_cpus();
  const auto s = std::make_shared<State>(setup, point["bytes"]);
  return {
      .naive = [s, all] { s->epoch(all); },
      .optimized = [s] { s->epoch(1); },
      .clear = [s] { s->sums.fill_(-1); },
      .answer = [s](Form) { return numbers_of(s->sums); },
  };
}

extern constexpr Step step = checked({
    .id = "dataload/pin_thread_omp",
    .claim = "A thread that copies batches beside a training should have one OpenMP thread, not a team.",
    .claim_ids = "cpu-pin-thread-omp",
    .sides = {"a team", "one thread"},
    .source = {.title = "pytorch/pytorch, issue 25010",
               .url = "https://github.com/pytorch/pytorch/issues/25010",
               .where = "the mending of _pin_memory_loop"},
    .runs = Runs::host,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "bytes:8MiB"},
    .tolerance = {.relative = 1e-5, .why = "a product that is split may be added up in another order"},
});

}  // namespace microbench::dataload_pin_thread_omp
