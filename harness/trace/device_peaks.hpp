// What common NVIDIA GPUs can do at best, from NVIDIA's data sheets: the roof that kernels are held against.
#pragma once

#include "harness/trace/trace.hpp"

#include <cstdint>
#include <string_view>

namespace harness::trace {

/// The arithmetic that a matrix product is done in.
enum class Arithmetic : std::uint8_t { fp32, tf32, fp16, bf16, fp64, unknown };

/// Peak rates, dense (half of what data sheets print "with sparsity"), without any overclocking.
struct DeviceModel {
  std::string_view name;
  /// Words that all occur in the name that the driver reports; the first model of the table that fits wins.
  std::string_view match;
  std::int64_t least_memory_bytes = 0;
  double bandwidth_gb_s = 0;  // of the device's memory, 10^9 bytes per second
  double fp32_tflops = 0;     // outside the tensor cores
  double tf32_tflops = 0;     // 0: there is no such unit
  double fp16_tflops = 0;     // tensor cores, summed in FP32
  double bf16_tflops = 0;
  std::string_view source;
};

/// The model of that device; nullptr where the table has none.
const DeviceModel* device_model(const DeviceProperties& device);

/// Peak in FLOP/s; 0 where the device has no such unit or the table does not know.
double peak_flops(const DeviceModel& model, Arithmetic arithmetic);

/// FLOP per byte at which arithmetic and memory take equally long.
double balance(const DeviceModel& model, Arithmetic arithmetic);

std::string_view to_string(Arithmetic arithmetic);

}  // namespace harness::trace
