// Copy from one device to the other directly, instead of by way of the host.
//
// Question: Two GPUs of your machine: how fast do they copy from one to the other, and how fast by way of
// pinned memory of the host?
//
// Where the bus allows it, one device may read and write the other's memory: over NVLink at several times the
// rate of PCIe, over PCIe without a stay in the host's memory. LibTorch copies between two devices that way
// when both allow it, and NCCL does too. By way of the host each byte crosses the bus twice, and the second
// copy cannot begin before the first has brought something.
//
// When it does not matter: between devices under different root ports or sockets the driver may refuse peer
// access; then the direct call goes through the host by itself.
//
// A row is one copy of `bytes` from the row's device to the next one. The first side copies to pinned memory
// and from there to the other device; the second side calls cudaMemcpyPeerAsync with peer access switched
// on. With one device the row is skipped.
//
// Answer: Directly at the rate of NVLink or of PCIe; by way of the host each byte crosses the bus twice, one
// after the other, so at most half of PCIe's rate. Where the driver refuses peer access both take the same
// way.

#include "harness/cuda/check.hpp"
#include "harness/cuda/stream.hpp"

#include "microbench/parallel/peers.hpp"
#include "microbench/tip.hpp"

#include <c10/cuda/CUDAStream.h>

namespace microbench::parallel_peer_copy {

using parallel::Peers;

constexpr Axis axes[] = {{.name = "bytes",
                          .about = "of one copy",
                          .values = {64 << 10, 64 << 20},
                          .quick = {64 << 10},
                          .unit = Unit::bytes}};

struct State {
  State(const Setup& setup, std::int64_t bytes)
      : peers(setup.device.index),
        from(at::arange(bytes, options(setup.device.index))),
        to(at::empty({bytes}, options(peers.other()))),
        host(at::empty({bytes}, at::TensorOptions().dtype(at::kByte).pinned_memory(true))),
        stream(setup.stream) {}
  static at::TensorOptions options(int device) {
    return at::TensorOptions().dtype(at::kByte).device(at::kCUDA, static_cast<c10::DeviceIndex>(device));
  }
  std::size_t bytes() const { return from.nbytes(); }
  void by_host() const {
    check(cudaMemcpyAsync(host.data_ptr(), from.data_ptr(), bytes(), cudaMemcpyDeviceToHost, stream->get()));
    check(cudaMemcpyAsync(to.data_ptr(), host.data_ptr(), bytes(), cudaMemcpyHostToDevice, stream->get()));
  }
  void directly() const {
    check(cudaMemcpyPeerAsync(to.data_ptr(), peers.other(), from.data_ptr(), peers.first(), bytes(),
                              stream->get()));
  }
  /// The other device has a stream of its own, which the copies do not wait for.
  void clear() const {
    to.zero_();
    c10::cuda::getCurrentCUDAStream(static_cast<c10::DeviceIndex>(peers.other())).synchronize();
  }
  Peers peers;
  at::Tensor from, to, host;
  const Stream* stream;
};

Trial prepare(Setup& setup, const Point& point) {
  const auto s = std::make_shared<const State>(setup, point["bytes"]);
  return {.naive = [s] { s->by_host(); },
          .optimized = [s] { s->directly(); },
          .clear = [s] { s->clear(); },
          .answer = [s](Form) { return numbers_of(s->to); },
          .timer = Timer::event,
          .bytes_moved = s->bytes()};
}

extern constexpr Step step = checked({
    .id = "parallel/peer_copy",
    .claim = "A copy between two devices is faster directly than by way of the host.",
    .claim_ids = "dist-p2p",
    .sides = {"by the host", "directly"},
    .source = best_practices("10.1.4, Unified Virtual Addressing"),
    .runs = Runs::cuda,
    .axes = axes,
    .prepare = prepare,
    .expectation = {.outcome = Outcome::helps, .published = "no figure"},
});

}  // namespace microbench::parallel_peer_copy
