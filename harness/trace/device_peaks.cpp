#include "harness/trace/device_peaks.hpp"

#include <array>

namespace harness::trace {

std::shared_ptr<const DeviceModel> peaks_of(const DeviceProperties& device, const std::string& file) {
  const DeviceDescription described{.name = device.name,
                                    .multiprocessors = device.multiprocessors,
                                    .memory_bytes = static_cast<double>(device.memory_bytes)};
  const auto model = file.empty() ? device_model(described) : model_from_file(file, described);
  return model ? std::make_shared<const DeviceModel>(*model) : nullptr;
}

double peak_flops(const DeviceModel& model, Arithmetic arithmetic) {
  constexpr double tera = 1e12;
  switch (arithmetic) {
    case Arithmetic::fp32:
      return model.fp32_tflops * tera;
    case Arithmetic::tf32:
      return model.tf32_tflops * tera;
    case Arithmetic::fp16:
      return model.fp16_tflops * tera;
    case Arithmetic::bf16:
      return model.bf16_tflops * tera;
    case Arithmetic::fp64:
    case Arithmetic::unknown:
      break;
  }
  return 0;
}

double balance(const DeviceModel& model, Arithmetic arithmetic) {
  return peak_flops(model, arithmetic) / (model.bandwidth_gb_s * 1e9);
}

std::string_view to_string(Arithmetic arithmetic) {
  constexpr std::array names{"FP32", "TF32", "FP16", "BF16", "FP64", "unknown"};
  return names[static_cast<std::size_t>(arithmetic)];
}

}  // namespace harness::trace
