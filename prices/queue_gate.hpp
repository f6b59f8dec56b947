// The device's time of work that is all queued before any of it begins: a kernel in front of it waits for the
// host's word. What the host takes to queue is then in nobody's time. NVIDIA's nvbandwidth times copies so.
#pragma once

#include "harness/cuda/event.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/cuda/stream.hpp"

#include "prices/price_kernels.hpp"

#include <atomic>

namespace prices {

class QueueGate {
 public:
  /// Waits once, with the gate open: CUDA may load a kernel when it is first launched, and could not while it
  /// waits.
  explicit QueueGate(const harness::Stream& stream) : stream_(stream) {
    seconds([] {});
  }

  QueueGate(const QueueGate&) = delete;
  QueueGate& operator=(const QueueGate&) = delete;
  /// Where queueing threw, the kernel may still be reading its flags.
  ~QueueGate() { harness::report(cudaStreamSynchronize(stream_.get())); }

  /// `queue` must only queue: on the gate's stream, or on others that first wait for an event of it and that
  /// it then waits for. Throws std::runtime_error where the device gave up waiting.
  template <class Queue>
  double seconds(Queue&& queue) {
    *flags_ = {};
    {
      const Opener opener{*flags_};  // also where queueing throws: the device would wait in vain
      harness::check(queue_gate(flags_, limit_ns, stream_.get()));
      start_.record(stream_);
      queue();
      stop_.record(stream_);
    }
    stop_.synchronize();
    if (std::atomic_ref(flags_->gave_up).load() != 0)
      throw std::runtime_error(
          "the device waited 2 s, and the host had still not queued the work (is a debugger attached?)");
    return (stop_ - start_).count();
  }

 private:
  static constexpr std::uint64_t limit_ns = 2'000'000'000;

  struct Opener {
    GateFlags& flags;
    ~Opener() { std::atomic_ref(flags.open).store(1); }
  };

  const harness::Stream& stream_;
  harness::MappedBuffer memory_{sizeof(GateFlags)};
  GateFlags* flags_ = new (memory_.data()) GateFlags;
  harness::TimedEvent start_, stop_;
};

}  // namespace prices
