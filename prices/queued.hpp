// The device's time of calls that are all queued before the first of them begins.
#pragma once

#include "harness/cuda/stream.hpp"

#include "prices/price_row.hpp"
#include "prices/queue_gate.hpp"

namespace prices {

inline constexpr int queued_copies = 16;  // as many as nvbandwidth queues

/// Samples of `calls` calls on the stream. `call` must only queue, and must have run once: CUDA may load a
/// kernel at its first launch, and libraries set themselves up.
template <class Call>
void sample_queued(benchmark::State& state, int calls, const harness::Stream& stream, const Call& call) {
  QueueGate gate(stream);
  sample_calls(state, calls, [&] {
    return gate.seconds([&] {
      for (int i = 0; i < calls; ++i) call();
    });
  });
}

}  // namespace prices
