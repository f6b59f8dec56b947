// Copy in both directions at once, on two streams, instead of one after the other.
//
// Question: The link has lanes for either direction. What share of the time do 64 MiB in and 64 MiB out save
// when they go at once?
//
// The link between host and device has separate lanes for each direction, and most devices have at least two
// copy engines, so that one can bring data in while the other takes results out. Within one stream they still
// take turns: the second copy may need what the first one brought. On two streams nothing fixes their order,
// and both directions run at full speed, in the time of the longer one.
//
// When it does not matter: where one direction carries nearly all of the bytes; for small copies, where
// starting them is the price; on devices with one copy engine, which are skipped here. The gain stays below a
// factor of two where the host's memory cannot serve both at once, or where both share a bridge that is
// narrower than their sum.
//
// A row copies as many bytes in as out, between different buffers, all of the host's pinned. The rate counts
// both directions. The second stream forks from the timed one by an event and joins it again.
//
// Answer: Nearly half, if the link and the host's memory carry both directions at full speed: the time of
// the longer one is left. On the H200 here (commit 7400cad) 16 MiB each way took 623 -> 343 us, 45 % less.

#include "harness/cuda/device.hpp"

#include "microbench/overlap/delay.hpp"
#include "microbench/overlap/side_streams.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::overlap_bidirectional {

constexpr Axis axes[] = {{.name = "bytes",
                          .about = "in each direction",
                          .values = {64 << 10, 1 << 20, 16 << 20, 64 << 20, 256 << 20},
                          .quick = {16 << 20},
                          .unit = Unit::bytes}};

struct State {
  explicit State(std::size_t size) : in(size), out(size), arrived(size), leaving(size), side(1) {}
  void copy_in(const Stream& stream) const {
    check(cudaMemcpyAsync(arrived.data(), in.data(), in.size(), cudaMemcpyHostToDevice, stream.get()));
  }
  void copy_out(const Stream& stream) const {
    check(cudaMemcpyAsync(out.data(), leaving.data(), out.size(), cudaMemcpyDeviceToHost, stream.get()));
  }
  PinnedBuffer in, out;
  DeviceBuffer arrived, leaving;
  SideStreams side;
};

void require_two_engines(int device) {
  if (device_attribute(cudaDevAttrAsyncEngineCount, device) < 2)
    throw Skip("the device has one copy engine: both directions take turns");
}

Trial prepare(Setup& setup, const Point& point) {
  require_two_engines(setup.device.index);
  const auto size = static_cast<std::size_t>(point["bytes"]);
  const auto& stream = *setup.stream;
  require_device_memory(2 * size);
  const auto s = std::make_shared<State>(size);
  fill_pattern(s->in.bytes(), setup.seed + 1);
  s->copy_in(stream);
  check(cudaMemcpyAsync(s->leaving.data(), s->arrived.data(), size, cudaMemcpyDeviceToDevice, stream.get()));
  stream.synchronize();  // the pattern of what leaves is there; now the one of what arrives
  fill_pattern(s->in.bytes(), setup.seed);

  return {
      .naive =
          [s, &stream] {
            s->copy_in(stream);
            s->copy_out(stream);
          },
      .optimized =
          [s, &stream] {
            s->side.fork(stream);
            s->copy_in(stream);
            s->copy_out(s->side[0]);
            s->side.join(stream);
          },
      .clear =
          [s, &stream] {
            scribble(s->arrived, stream);
            scribble(s->out.bytes());
          },
      .answer = [s, &stream](Form) -> Answer {
        auto bytes = read_back(s->arrived, stream);
        append(bytes, s->out.bytes());
        return bytes;
      },
      .timer = Timer::event,
      .bytes_moved = 2 * size,
  };
}

extern constexpr Step step = checked({
    .id = "overlap/bidirectional",
    .claim = "With two copy engines, copies to and from the device run at once when they are on two streams.",
    .claim_ids = "ovl-bidirectional",
    .sides = {"one after the other", "both at once"},
    .source = overlap_post("Overlapping Kernel Execution and Data Transfers, the C2050's two copy engines"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .except = "bytes:64KiB bytes:1MiB"},
    .suite = Suite::quick,
});

}  // namespace microbench::overlap_bidirectional
