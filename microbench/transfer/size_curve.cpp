// Move data in pieces large enough that the start of each costs nothing.
//
// Question: How much longer do 16 MiB take in pieces of 4 KiB than in one copy, and at which size of a piece
// does cutting cost nothing?
//
// A transfer takes the time of its bytes and, before that, a fixed time in which nothing moves: the host
// makes the call, the copy engine gets its command, and the first packet crosses the link. For a few KiB the
// fixed part is nearly all of it, and the same bytes cut into small copies take many times as long as in one.
//
// When it does not matter: for pieces so large that the fixed part is little beside the time of the bytes.
// Above that size a pipeline may cut its data into pieces (overlap/chunked_streams), and packing small pieces
// gains nothing (transfer/batch_small).
//
// The axis `bytes` sets the size of a piece: 16 MiB in pieces of so many bytes against 16 MiB in one copy.
// Where the two come to the same, the link is saturated. The figure gives points of the curve, the time of
// one copy of a piece and of everything: a line through them starts at the fixed time and rises with the
// link's rate.
//
// Memory is pinned, in both directions. The events time the stream from the first command to the last byte: a
// host too slow to keep the engine supplied is part of what small copies cost.
//
// Answer: On the H200 here (commit 7400cad) 33 times: 10.6 ms against 317 us, since a copy of 4 KiB takes
// 2.66 us, nearly all of it start. Cutting costs nothing where the bytes of a piece take much longer than
// that start, so from some MiB on.

#include "microbench/host_time.hpp"
#include "microbench/tip.hpp"
#include "microbench/transfer/copies.hpp"

namespace microbench::transfer_size_curve {

constexpr std::size_t all = std::size_t{16} << 20;
constexpr Axis axes[] = {{.name = "bytes",
                          .about = "of one piece",
                          .values = {4 << 10, 64 << 10, 1 << 20, 4 << 20},
                          .quick = {4 << 10},
                          .unit = Unit::bytes},
                         {.name = "direction",
                          .about = "h2d: to the device; d2h: from it",
                          .quick = {0},
                          .labels = {"h2d", "d2h"}}};

struct State {
  PinnedBuffer host{all};
  DeviceBuffer device{all};
};

Trial prepare(Setup& setup, const Point& point) {
  const auto piece = static_cast<std::size_t>(point["bytes"]);
  const bool out = point["direction"] != 0;
  const auto& stream = *setup.stream;
  require_device_memory(all);
  const auto s = std::make_shared<State>();
  fill_pattern(s->host.bytes(), setup.seed);
  check(cudaMemcpyAsync(s->device.data(), s->host.data(), all, cudaMemcpyHostToDevice, stream.get()));
  stream.synchronize();

  const auto copy_by = [s, out, &stream](std::size_t size) {
    auto* const to = out ? s->host.data() : s->device.data();
    const auto* const from = out ? s->device.data() : s->host.data();
    const auto kind = out ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;
    for (std::size_t at = 0; at < all; at += size)
      check(cudaMemcpyAsync(to + at, from + at, size, kind, stream.get()));
  };
  return {
      .naive = [copy_by, piece] { copy_by(piece); },
      .optimized = [copy_by] { copy_by(all); },
      .clear =
          [s, out, &stream] {
            if (out) std::ranges::fill(s->host.bytes(), std::byte{0xA5});
            if (!out) check(cudaMemsetAsync(s->device.data(), 0xA5, all, stream.get()));
          },
      .answer = [s, out, &stream](Form) -> Answer {
        return out ? copy_of(s->host.bytes()) : read_back(s->device, stream);
      },
      .figures = [copy_by, piece, &stream]() -> std::vector<Figure> {
        const auto cut = seconds_on(stream, [&] { copy_by(piece); });
        const auto whole = seconds_on(stream, [&] { copy_by(all); });
        const auto share = static_cast<double>(piece) / static_cast<double>(all);
        return {{"one copy", "us", 1e6 * share * cut, 1e6 * whole}};
      },
      .timer = Timer::event,
      .bytes_moved = all,
  };
}

extern constexpr Step step = checked({
    .id = "transfer/size_curve",
    .claim = "Data move far more slowly in pieces of a few KiB than in one copy; large pieces cost nothing.",
    .claim_ids = "xfer-size-curve",
    .sides = {"pieces", "one copy"},
    .source = transfer_post("Batching Small Transfers"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure", .about = "bytes:4KiB"},
    .delta = 0.02,
    .suite = Suite::quick,
});

}  // namespace microbench::transfer_size_curve
