// What commands cost the device of a GPU on paper.
#pragma once

#include "harness/simulate/gpu.hpp"
#include "harness/simulate/recording.hpp"

namespace harness::simulate {

/// Bytes a second at which the host moves pageable memory for a copy: its own, or that of hosts with this
/// link.
double staging_rate(const Gpu& gpu);

/// Seconds that a kernel takes for its bytes, for its FLOP, and beside either.
double moving_seconds(const Entry& kernel, const Gpu& gpu);
double working_seconds(const Entry& kernel, const Gpu& gpu);
double least_seconds(const Entry& kernel, const Gpu& gpu);

struct LibraryCommands {
  int commands = 1, reads = 0;
};

/// cuSPARSE and LibTorch make many commands of a call on sparse matrices, and wait for numbers in between.
LibraryCommands library_commands(const Entry& entry, const Gpu& gpu);

/// Seconds that a kernel takes by its bytes, its FLOP or its given duration. Throws BadInput where the GPU
/// lacks the rate of the kernel's unit.
double kernel_seconds(const Entry& kernel, const Gpu& gpu);

/// Seconds that a copy keeps its engine.
double copy_seconds(const Entry& copy, const Gpu& gpu);

}  // namespace harness::simulate
