// Copy with the copy engine, not with a kernel, while the device computes.
//
// Question: A kernel can copy as fast as the copy engine. How much longer does a matrix product take beside
// it?
//
// A device's copy engines move bytes by themselves. A kernel can do the same, since it reaches pinned memory
// of the host, but it takes multiprocessors for it: registers, places for threads, turns of the schedulers,
// and most of the time it waits for the link. A matrix product beside such a copy is left with what remains.
//
// When it does not matter: where the device has nothing else to do, and for work that is bound by memory
// (`beside:add`): both ways of copying take a part of the memory's bandwidth from it.
//
// A row times the products or additions, enough of them to last longer than the copy, until both are done;
// a figure shows how much longer that took than the work alone. The copying kernel comes first, in as
// many blocks as a plain kernel has, or in eight, which fill a link and take little of a large device.
//
// Answer: By the share of multiprocessors and of memory rate that the copying kernel holds while it waits
// for the link: much with as many blocks as a plain kernel has, little with eight. The figure beside the
// times says it for your device.

#include "microbench/overlap/copy_and_work.hpp"
#include "microbench/overlap/side_streams.hpp"
#include "microbench/overlap/sm_copy.hpp"
#include "microbench/overlap/torch_work.hpp"
#include "microbench/tip.hpp"

namespace microbench::overlap_copy_engine_frees_sm {

constexpr Axis axes[] = {
    {.name = "beside",
     .about = "product: 2048 x 2048 in FP32, bound by arithmetic; add: 256 MiB, bound by memory",
     .labels = {"product", "add"}},
    {.name = "blocks", .about = "of 512 threads, in the copying kernel", .values = {8, 256}},
    {.name = "bytes", .about = "of the copy", .values = {16 << 20, 64 << 20}, .unit = Unit::bytes}};

struct State {
  State(Setup& setup, const Point& point)
      : copied(static_cast<std::size_t>(point["bytes"]), setup.seed),
        work(point["beside"] == 0, torch_device(setup.device)),
        blocks(static_cast<unsigned>(point["blocks"])) {
    const auto key = "overlap/copy_engine_frees_sm/" + point.at[0].text + "/" + point.at[2].text;
    work.times = setup.calibrated(key, [&] {
      const auto once = seconds_on(*setup.stream, [&] { work.run(); });
      return static_cast<int>(std::ceil(1.5 * copied.copy_seconds(*setup.stream) / once));
    });
  }
  void kernel_copy(cudaStream_t stream) const {
    check(queue_sm_copy(copied.target.data(), copied.source.data(), copied.source.size(), blocks, stream));
  }
  CopyAndWork copied;
  TorchWork work;
  SideStreams side{1};
  unsigned blocks;
};

Trial prepare(Setup& setup, const Point& point) {
  require_device_memory(std::size_t{1} << 30);
  const auto& stream = *setup.stream;
  const auto s = std::make_shared<State>(setup, point);
  const auto naive = [s, &stream] {
    s->side.fork(stream);
    s->kernel_copy(s->side[0].get());
    s->work.run();
    s->side.join(stream);
  };
  const auto optimized = [s, &stream] {
    s->side.fork(stream);
    s->copied.copy(s->side[0].get());
    s->work.run();
    s->side.join(stream);
  };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear =
          [s, &stream] {
            s->work.out.fill_(-1);
            s->copied.clear(stream);
          },
      .answer = [s, &stream](Form) { return s->work.appended_to(read_back(s->copied.target, stream)); },
      .figures = [s, &stream, naive, optimized]() -> std::vector<Figure> {
        const auto alone = seconds_on(stream, [&] { s->work.run(); });
        return {{"longer than the work alone", "%", 100 * (seconds_on(stream, naive) / alone - 1),
                 100 * (seconds_on(stream, optimized) / alone - 1)}};
      },
      .timer = Timer::event,
  };
}

extern constexpr Step step = checked({
    .id = "overlap/copy_engine_frees_sm",
    .claim = "A copy by the copy engine leaves the multiprocessors to other work; a copying kernel does not.",
    .claim_ids = "ovl-copy-engine-frees-sm",
    .sides = {"copy kernel", "copy engine"},
    .source = pinning_tutorial("Asynchronous vs. Synchronous Operations with non_blocking=True"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .except = "beside:add blocks:8"},
});

}  // namespace microbench::overlap_copy_engine_frees_sm
