// Wait for what is needed, not for the whole device.
//
// Question: Another stream is busy with its own long kernel. Which of four ways to wait makes your work wait
// for that kernel, too?
//
// There are four ways to make sure that one kernel has finished before another begins. cudaDeviceSynchronize
// makes the host wait for everything on the device, whoever queued it. Waiting for the stream, or for an
// event in it, makes the host wait for that work only. cudaStreamWaitEvent does not stop the host at all: the
// second stream waits on the device, and the host goes on queueing.
//
// When it does not matter: with `other:none` all of it is in one stream, without the long kernel. Stream,
// event and device then come to the same, and only cudaStreamWaitEvent still saves the host the wait.
//
// A row measures twelve pieces. With `other:busy` each is worked on by one stream and then by a second one,
// which must wait for the first. On a third stream, which has nothing to do with them, a kernel has begun
// that takes as long as all of them together. The first side stands still until that kernel is done, and
// later waits for the second stream too, before it lets the first go on. Every kernel is of one block, so
// that they all find room beside each other.
//
// Answer: Only cudaDeviceSynchronize: it waits for all streams, the unrelated kernel included. Stream and
// event wait for your work, and cudaStreamWaitEvent does not stop the host at all.

#include "microbench/overlap/delay.hpp"
#include "microbench/overlap/side_streams.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::sync_granularity {

enum Cure : std::int64_t { stream_sync, event_sync, stream_wait };
constexpr Axis axes[] = {{.name = "cure",
                          .about = "what the optimized form does instead of waiting for the device",
                          .labels = {"stream_sync", "event_sync", "stream_wait"}},
                         {.name = "other",
                          .about = "none: all in one stream; busy: on two, and a third one has other work",
                          .labels = {"none", "busy"}}};
constexpr int pieces = 12;
constexpr double piece_seconds = 100e-6;

struct State {
  State(Setup& setup, bool others_busy) : unrelated(setup, 2 * pieces * piece_seconds), busy(others_busy) {
    for (int i = 0; i < pieces; ++i) work.emplace_back(setup, piece_seconds);
  }
  const Stream& second() const { return streams[busy ? 1 : 0]; }
  /// All pieces; `order` makes the second stream's work on a piece come after the first one's.
  template <class Order>
  void run(const Order& order) const {
    if (busy) unrelated.queue(streams[2]);
    for (const auto& piece : work) {
      piece.queue(streams[0]);
      order();
      piece.queue(second());
    }
  }
  void cured_order(Cure cure) const {
    if (cure == stream_sync) return streams[0].synchronize();
    done.record(streams[0]);
    cure == event_sync ? done.synchronize() : done.hold(second());
  }
  SideStreams streams{3};  // apart: the host's clock waits for the device at both ends
  Event done;
  Delay unrelated;
  std::vector<Delay> work;
  bool busy;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto cure = static_cast<Cure>(point["cure"]);
  const auto& stream = *setup.stream;
  const auto s = std::make_shared<State>(setup, point["other"] == 1);

  return {
      .naive = [s] { s->run([] { check(cudaDeviceSynchronize()); }); },
      .optimized = [s, cure] { s->run([&] { s->cured_order(cure); }); },
      .clear =
          [s, &stream] {
            for (const auto& piece : s->work) piece.clear(stream);
            s->unrelated.clear(stream);
            stream.synchronize();
          },
      .answer = [s, &stream](Form) -> Answer {
        auto bytes = read_back(s->unrelated.values(), stream);
        for (const auto& piece : s->work) append(bytes, read_back(piece.values(), stream));
        return bytes;
      },
  };
}

extern constexpr Step step = checked({
    .id = "sync/granularity",
    .claim = "While other streams are busy, waiting for the whole device takes longer than waiting for one "
             "stream or event.",
    .claim_ids = "sync-granularity",
    .sides = {"whole device", "what is needed"},
    .source = overlap_post("CUDA Streams, Synchronization with streams"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "other:busy"},
});

}  // namespace microbench::sync_granularity
