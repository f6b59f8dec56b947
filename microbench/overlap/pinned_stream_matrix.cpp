// Overlap of a copy and a kernel needs pinned memory and a second stream; either alone gains nothing.
//
// Question: Pinned memory in one stream, or ordinary memory in two: which of the two lets a copy and a kernel
// overlap?
//
// Three things must come together for the device to compute while data comes in. The copy must be in
// another stream than the kernel, for within a stream things run one after the other. The host memory must be
// pinned, for a copy of ordinary memory is staged by the host, which returns from the call only when it has
// read the last byte. And the device must have a copy engine that is free. `naive` says which of the
// conditions the first side fails: a pinned copy in the kernel's own stream, or an ordinary copy in either
// stream.
//
// The copy is issued before the kernel, as a loader would. With the kernel first, the host would stage
// ordinary memory while the kernel runs, and the second stream would help even there. The kernel is
// calibrated to take as long as the pinned copy, where the most can be gained: half of the time of "one
// after the other".
//
// When it does not matter: where one of the two takes nearly all of the time, and for copies so small that
// starting them is the price.
//
// Beside the times stands the share of the shorter part that passed at once with the longer one. Pinned
// memory makes the copy itself faster too (transfer/pinned_h2d); the share is what overlap alone has done.
//
// Answer: Neither: in one stream the kernel waits for the copy, and from ordinary memory the host stages the
// copy before it issues the kernel. Both together take up to half of the time away; on the H200 here (commit
// 7400cad) 173 -> 90.9 us against one stream.

#include "microbench/overlap/copy_and_work.hpp"
#include "microbench/overlap/side_streams.hpp"
#include "microbench/tip.hpp"

namespace microbench::overlap_pinned_stream_matrix {

constexpr Axis axes[] = {
    {.name = "naive",
     .about = "what the naive form copies, and whether in the kernel's stream or in one beside it",
     .quick = {0},
     .labels = {"pinned_same", "pageable_side", "pageable_same"}},
    {.name = "bytes",
     .about = "of the copy",
     .values = {4 << 20, 20 << 20, 64 << 20},
     .quick = {4 << 20},
     .unit = Unit::bytes}};

struct State {
  State(std::size_t size, std::uint64_t seed) : pinned(size, seed), pageable(size), side(1) {
    fill_pattern(pageable.bytes(), seed);
  }
  void copy_pageable(cudaStream_t stream) const {
    check(cudaMemcpyAsync(pinned.target.data(), pageable.data(), pageable.size(), cudaMemcpyHostToDevice,
                          stream));
  }
  CopyAndWork pinned;
  PageableBuffer pageable;
  SideStreams side;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const bool pageable = point["naive"] != 0;
  const bool same = point["naive"] != 1;
  const auto& stream = *setup.stream;
  require_device_memory(size);
  const auto s = std::make_shared<State>(size, setup.seed);
  s->pinned.pace(setup, "overlap/pinned_stream_matrix/" + std::to_string(size));

  const auto naive = [s, &stream, pageable, same] {
    s->side.fork(stream);
    const auto on = same ? stream.get() : s->side[0].get();
    pageable ? s->copy_pageable(on) : s->pinned.copy(on);
    s->pinned.work(stream.get());
    s->side.join(stream);
  };
  const auto optimized = [s, &stream] {
    s->side.fork(stream);
    s->pinned.copy(s->side[0].get());
    s->pinned.work(stream.get());
    s->side.join(stream);
  };
  return {
      .naive = naive,
      .optimized = optimized,
      .clear = [s, &stream] { s->pinned.clear(stream); },
      .answer = [s, &stream](Form) -> Answer { return s->pinned.answer(stream); },
      .figures = [s, &stream, naive, optimized, pageable]() -> std::vector<Figure> {
        const auto work = s->pinned.work_seconds(stream);
        const auto pinned = s->pinned.copy_seconds(stream);
        const auto other = pageable ? seconds_on(stream, [&] { s->copy_pageable(stream.get()); }) : pinned;
        return {{"overlap", "%", overlap_percent(other, work, seconds_on(stream, naive)),
                 overlap_percent(pinned, work, seconds_on(stream, optimized))}};
      },
      .timer = Timer::event,
  };
}

extern constexpr Step step = checked({
    .id = "overlap/pinned_stream_matrix",
    .claim = "A copy and a kernel overlap with pinned memory and a second stream, not with one of the two.",
    .claim_ids = "ovl-pinned-stream-matrix",
    .sides = {"pageable, one stream", "the row's"},
    .source = pinning_tutorial("Asynchronous vs. Synchronous Operations with non_blocking=True"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure (traced: 20 MiB, 2 multiplications)"},
    .suite = Suite::quick,
});

}  // namespace microbench::overlap_pinned_stream_matrix
