// Where the batches of the loading tips come from: plain functions that a worker process finds by name.
#pragma once

#include "harness/loader/batch_source.hpp"

#include <cstddef>
#include <span>

namespace microbench {

/// Each sample of 32 KiB takes 2 ms to arrive and no processor: a disk, a network, a decoder elsewhere.
extern const harness::BatchSource slow_source;
inline constexpr std::size_t slow_sample_bytes = 32 << 10;

/// Each batch is a copy out of 16 MiB that this process holds.
extern const harness::BatchSource ready_source;

/// The sources of this folder, for the program that serves as worker process.
std::span<const harness::BatchSource> loader_sources();

}  // namespace microbench
