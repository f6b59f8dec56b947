// Record both events in the stream that the work is in.
//
// Question: Two events stand around a product in the program's text, but in another stream. What do they say?
//
// An event is a mark in one stream: its time is taken when the stream gets there. Work in another stream is
// neither before nor after it. Events in a stream that has nothing to do pass at once, one after the other,
// whatever the host queues elsewhere in between, and their difference is a few microseconds. It is easily
// done: a library switches streams, a guard is forgotten, an event is recorded on stream 0 while the work
// runs on one from a pool that does not wait for it.
//
// When it does not matter: in the legacy default stream, whose work waits for that of all ordinary streams
// and they for it, both events are in order by accident. It ends with the first non-blocking stream.
//
// A row has both timers read the same product five times; the wrong one's events are in a separate stream.
// The verdict compares the timers: `too little` says that the wrong one reads less.
//
// Answer: A few microseconds: the distance between two marks in a stream that has nothing to do. They say
// nothing about the product.

#include "harness/cuda/event.hpp"
#include "harness/cuda/stream.hpp"

#include "microbench/tip.hpp"
#include "microbench/traps/timers.hpp"

namespace microbench::traps_event_other_stream {

struct State {
  explicit State(const Device& device)
      : factor(at::full({2048, 2048}, 1.0F / 2048, at::TensorOptions().device(torch_device(device)))),
        product(at::empty_like(factor)) {}
  /// The product goes to the current stream, which is the harness's.
  double time_on(const Stream& stream) {
    begin.record(stream);
    at::mm_out(product, factor, factor);
    end.record(stream);
    end.synchronize();
    check(cudaDeviceSynchronize());  // the next reading begins with an idle device
    return (end - begin).count();
  }
  at::Tensor factor, product;
  TimedEvent begin, end;
  Stream other;
};

Trial prepare(Setup& setup, const Point&) {
  const auto s = std::make_shared<State>(setup.device);
  const auto& own = *setup.stream;
  return timer_trial(
      {[s] { return typical([&] { return s->time_on(s->other); }); },
       [s, &own] { return typical([&] { return s->time_on(own); }); }},
      [s] { s->product.fill_(-1); }, [s](Form) -> Answer { return numbers_of(s->product); });
}

extern constexpr Step step = checked({
    .id = "traps/event_other_stream",
    .claim = "Events in another stream than the work say far too little.",
    .claim_ids = "diag-no-sync-timing",
    .sides = timer_sides,
    .source = {.title = "CUDA C++ Best Practices Guide",
               .url = "https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/index.html",
               .where = "9.1.2 Using CUDA GPU Timers"},
    .runs = Runs::cuda,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::hurts, .published = timers_differ},
    .row_seconds = 2,
});

}  // namespace microbench::traps_event_other_stream
