// Keep the legacy default stream out of a pipeline: one small kernel there ties the other streams together.
//
// Question: One kernel of a few microseconds goes to the default stream, between a copy and a kernel on
// others. What does it cost?
//
// The stream that is used when none is named has a rule of its own. It waits for all work queued so far on
// every other blocking stream, and they wait for it: whatever is issued to it stands between everything
// before and everything after, on all of them. A copy on one stream and a kernel on another, which would
// have run at once, run one after the other because a kernel of a few microseconds was issued between them.
//
// Two cures. Streams that are made as non-blocking are not bound by the rule (`cure:non_blocking`); those of
// LibTorch's pool and this harness's are of this kind. Or the small kernel goes to a stream that is not the
// legacy one, as the whole program's unnamed work does when it is compiled with one default stream for each
// thread (`cure:per_thread`).
//
// When it does not matter: where nothing was to overlap. Within LibTorch the legacy stream is the current one
// unless a guard changes it, so it meets ordinary streams that other libraries have made.
//
// A row times a copy, the small kernel, and a kernel as long as the copy, each on its own stream; all of them
// follow the timed stream and are waited for by it. Beside the times stands the share that overlapped.
//
// Answer: All of the overlap: copy and kernel run one after the other, so up to half of the time. On the
// H200 here (commit 7400cad) the cure took 179 -> 92 us.

#include "microbench/overlap/copy_and_work.hpp"
#include "microbench/overlap/side_streams.hpp"
#include "microbench/tip.hpp"

namespace microbench::overlap_default_stream {

constexpr Axis axes[] = {
    {.name = "cure",
     .about = "non_blocking: streams that the legacy stream does not bind; per_thread: not the legacy stream",
     .quick = {0},
     .labels = {"non_blocking", "per_thread"}},
    {.name = "bytes",
     .about = "of the copy",
     .values = {4 << 20, 64 << 20},
     .quick = {4 << 20},
     .unit = Unit::bytes}};

constexpr std::size_t small = 256;  // values of the kernel in between

struct State {
  State(std::size_t size, std::uint64_t seed, unsigned cured_flags)
      : both(size, seed), blocking(cudaStreamDefault), cured(cured_flags) {}

  /// The copy, the small kernel on the stream `between`, and the long kernel.
  void run(const RawStreams& on, cudaStream_t between, const Stream& timed) const {
    on.fork(timed, between);
    both.copy(on[0]);
    say_work(small, 1);
    check(queue_work(reinterpret_cast<float*>(extra.data()), small, 1, between));
    both.work(on[1]);
    on.join(timed, between);
  }
  CopyAndWork both;
  DeviceBuffer extra{small * sizeof(float)};
  RawStreams blocking, cured;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const bool per_thread = point["cure"] == 1;
  const auto& stream = *setup.stream;
  require_device_memory(size);
  const unsigned flags = per_thread ? cudaStreamDefault : cudaStreamNonBlocking;
  const auto s = std::make_shared<State>(size, setup.seed, flags);
  s->both.pace(setup, "overlap/default_stream/" + std::to_string(size));

  const auto naive = [s, &stream] { s->run(s->blocking, cudaStreamLegacy, stream); };
  const auto optimized = [s, &stream, per_thread] {
    s->run(s->cured, per_thread ? cudaStreamPerThread : cudaStreamLegacy, stream);
  };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear =
          [s, &stream] {
            check(cudaMemsetAsync(s->extra.data(), 0, s->extra.size(), stream.get()));
            s->both.clear(stream);
          },
      .answer = [s, &stream](Form) -> Answer { return s->both.answer_with(s->extra, stream); },
      .figures = [s, &stream, naive, optimized] { return s->both.overlap_of(naive, optimized, stream); },
      .timer = Timer::event,
  };
}

extern constexpr Step step = checked({
    .id = "overlap/default_stream",
    .claim = "A kernel in the legacy default stream, issued between others, keeps them from overlapping.",
    .claim_ids = "ovl-default-stream",
    .sides = {"legacy stream", "own stream"},
    .source = overlap_post("CUDA Streams, The default stream"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
});

}  // namespace microbench::overlap_default_stream
