// Where the batches of the loading tips come from: plain functions that a worker process finds by name.
#pragma once

#include "harness/support/channel.hpp"

namespace microbench {

/// Each sample of 32 KiB takes 2 ms to arrive and no processor: a disk, a network, a decoder elsewhere.
extern const harness::BatchSource slow_source;
inline constexpr std::size_t slow_sample_bytes = 32 << 10;

/// Each batch is a copy out of 16 MiB that this process holds.
extern const harness::BatchSource ready_source;

/// Each batch takes 0.48 ms to arrive and no processor.
extern const harness::BatchSource even_source;

/// One batch in 16 takes 4 ms to arrive, the others 0.25 ms: on average the same. No processor either.
extern const harness::BatchSource uneven_source;

/// Batch 0 is there at once and shows that the process runs. Every other one keeps a processor busy for one
/// microsecond of its time per byte of the batch: a neighbour for what is measured, not something to load.
extern const harness::BatchSource busy_source;

/// All of these, for the program that serves as worker process.
std::span<const harness::BatchSource> loader_sources();

}  // namespace microbench
