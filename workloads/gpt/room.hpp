// The largest batches of the GPT that fit into a memory.
#pragma once

#include "harness/core/setup.hpp"

#include <cstdint>

namespace workloads::gpt {

/// What the search found for one form.
struct LargestBatch {
  std::int64_t batch = 0;  // 0: not even one sample fits
  double peak = 0;         // bytes, of its step
  std::int64_t by_formula = 0;
};

/// The largest batches without checkpoints and with them.
struct Room {
  LargestBatch plain, checkpointed;
  /// How many batches without checkpoints one with them holds.
  std::int64_t parts() const { return plain.batch == 0 ? 0 : checkpointed.batch / plain.batch; }
};

/// Searched for once in a worker, by steps in fresh processes, within `--memory`. Throws BadInput for a bad
/// limit.
Room room_for(harness::Setup& setup);

}  // namespace workloads::gpt
