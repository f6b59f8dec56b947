// Keep calls out of a pipeline that may tie all streams together: allocations, unordered fills and copies.
//
// Question: Which of these (two allocations, a fill, a copy) still ties two streams together?
//
// Some calls concern the whole device. According to the programming guide, such a call between commands of
// two streams keeps these from overlapping; it lists allocations, fills, copies within the device and the
// legacy stream.
//
// When it does not matter: drivers have relaxed some of the list, and a row shows which. Of the allocations
// nothing is expected: the host makes them ahead of the device, and a wait there need not reach the streams.
//
// `op` is the call, issued between a copy on one stream and an equally long kernel on another. The cures:
// memory from LibTorch's caching allocators; the fill and the copy by the Async call that names their
// stream. Beside the times stands the share that overlapped, for an allocation takes time even where it ties
// nothing. What was allocated is freed between slots, since freeing waits. The streams are ordinary
// (blocking) streams.
//
// Answer: By the guide all that are not ordered in a stream: the fill and the copy without Async tie the
// streams; an allocation may. Drivers have relaxed some of the list, so read the figure for the share that
// overlapped.

#include "microbench/overlap/copy_and_work.hpp"
#include "microbench/overlap/side_streams.hpp"
#include "microbench/tip.hpp"

namespace microbench::overlap_implicit_sync {

enum Op : std::int64_t { pinned_alloc, device_alloc, fill, device_copy };
constexpr Axis axes[] = {{.name = "op",
                          .about = "what is called between the copy and the kernel",
                          .labels = {"pinned_alloc", "device_alloc", "memset", "device_copy"}}};
constexpr std::size_t size = 64 << 20;  // of the copy: some milliseconds, far more than a call
constexpr std::size_t small = 4 << 20;  // filled or copied; allocated: too much for a block that is there
constexpr auto inside = cudaMemcpyDeviceToDevice;

struct State {
  State(Setup& setup, Op what) : both(size, setup.seed), streams(cudaStreamDefault), op(what) {
    memory = at::TensorOptions().dtype(at::kByte).device(torch_device(setup.device));
    if (op == pinned_alloc) memory = memory.device(at::kCPU).pinned_memory(true);
  }
  void call() {
    if (op == pinned_alloc) kept.push_back(std::make_shared<PinnedBuffer>(small));
    if (op == device_alloc) kept.push_back(std::make_shared<DeviceBuffer>(small));
    if (op == fill) check(cudaMemset(to.data(), 0x5A, small));
    if (op == device_copy) check(cudaMemcpy(to.data(), from.data(), small, inside));
  }
  void call_cured() const {
    if (op == pinned_alloc || op == device_alloc) at::empty({static_cast<std::int64_t>(small)}, memory);
    if (op == fill) check(cudaMemsetAsync(to.data(), 0x5A, small, streams[1]));
    if (op == device_copy) check(cudaMemcpyAsync(to.data(), from.data(), small, inside, streams[1]));
  }
  void run(const Stream& timed, bool cured) {
    streams.fork(timed);
    both.copy(streams[0]);
    cured ? call_cured() : call();
    both.work(streams[1]);
    streams.join(timed);
  }
  CopyAndWork both;
  RawStreams streams;
  Op op;
  at::TensorOptions memory;
  DeviceBuffer from{small}, to{small};
  std::vector<std::shared_ptr<void>> kept;  // what was allocated since the slot began
};

Trial prepare(Setup& setup, const Point& point) {
  const auto& stream = *setup.stream;
  require_device_memory(2 * size);
  const auto s = std::make_shared<State>(setup, static_cast<Op>(point["op"]));
  s->both.pace(setup, "overlap/implicit_sync");
  check(cudaMemsetAsync(s->from.data(), 0x3C, small, stream.get()));

  const auto naive = [s, &stream] { s->run(stream, /*cured=*/false); };
  const auto optimized = [s, &stream] { s->run(stream, /*cured=*/true); };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear =
          [s, &stream] {
            check(cudaMemsetAsync(s->to.data(), 0xA5, small, stream.get()));
            s->both.clear(stream);
          },
      .answer = [s, &stream](Form) -> Answer { return s->both.answer_with(s->to, stream); },
      .before_slot = [s](Form) { s->kept.clear(); },
      .figures = [s, &stream, naive, optimized] { return s->both.overlap_of(naive, optimized, stream); },
      .timer = Timer::event,
  };
}

extern constexpr Step step = checked({
    .id = "overlap/implicit_sync",
    .claim = "An allocation, a fill or a copy on the device between two streams' work serializes that work.",
    .claim_ids = "ovl-implicit-sync",
    .sides = {"with the call", "without"},
    .source = {.title = "CUDA C++ Programming Guide",
               .url = "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html",
               .where = "Asynchronous Concurrent Execution, Streams, Implicit Synchronization"},
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "op:memset op:device_copy"},
});

}  // namespace microbench::overlap_implicit_sync
