// Peaks of a device (harness/machine/device_model.hpp) by the arithmetic that a kernel does.
#pragma once

#include "harness/machine/device_model.hpp"
#include "harness/trace/trace.hpp"

namespace harness::trace {

/// The arithmetic that a matrix product is done in.
enum class Arithmetic : std::uint8_t { fp32, tf32, fp16, bf16, fp64, unknown };

/// The peaks of that device, from the file if one is named; null where none are known. Throws BadInput where
/// the file has no peaks of it.
std::shared_ptr<const DeviceModel> peaks_of(const DeviceProperties& device, const std::string& file = {});

/// Peak in FLOP/s; 0 where the device has no such unit or its sheet does not say.
double peak_flops(const DeviceModel& model, Arithmetic arithmetic);

/// FLOP per byte at which arithmetic and memory take equally long.
double balance(const DeviceModel& model, Arithmetic arithmetic);

std::string_view to_string(Arithmetic arithmetic);

}  // namespace harness::trace
