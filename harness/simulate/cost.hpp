// What recorded calls cost on a GPU that is described on paper.
#pragma once

#include "harness/simulate/gpu.hpp"
#include "harness/simulate/recording.hpp"
#include "harness/simulate/schedule.hpp"

namespace harness::simulate {

/// Seconds that a kernel takes by its bytes, its FLOP or its given duration. Throws BadInput where the GPU
/// lacks the rate of the kernel's unit.
double kernel_seconds(const Entry& kernel, const Gpu& gpu);

/// Seconds that a copy keeps its engine.
double copy_seconds(const Entry& copy, const Gpu& gpu);

/// The recorded calls with their times.
Schedule schedule_of(const FormRecord& record, const Gpu& gpu);

}  // namespace harness::simulate
