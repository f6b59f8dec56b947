// What a second process does with the device that is measured.
#pragma once

#include "harness/support/channel.hpp"

namespace microbench {

/// A source for each of the first devices of the machine, to be served by a program that links CUDA. Batch 0
/// is there as soon as the device has run a kernel. Any other keeps the device busy with short kernels, each
/// waited for before the next, as many as the batch has bytes.
std::span<const harness::BatchSource> device_loads();

}  // namespace microbench
