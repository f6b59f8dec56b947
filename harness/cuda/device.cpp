#include "harness/cuda/device.hpp"

#include "harness/cuda/canary_kernels.hpp"

namespace harness::inline cuda {
namespace {

/// 13000 -> "13.0"; 0, which stands for none, becomes empty.
std::string version_text(int version) {
  if (version == 0) return {};
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void refuse(DeviceFacts& facts, std::string_view status, std::string message) {
  facts.status = status;
  facts.message = std::move(message);
}

void refuse_count(cudaError_t status, DeviceFacts& facts) {
  facts.count = 0;
  const bool old = status == cudaErrorInsufficientDriver && !facts.driver_api.empty();
  if (old)
    refuse(facts, "driver too old",
           "driver too old: have CUDA " + facts.driver_api + ", need " + facts.runtime);
  else if (status == cudaSuccess || status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver)
    refuse(facts, "no device", "no CUDA device");
  else
    refuse(facts, "failed", std::string("cannot start CUDA: ") + cudaGetErrorString(status));
}

/// "one device, cuda:0", "2 devices, cuda:0 to cuda:1".
std::string devices_text(int count) {
  if (count == 1) return "one device, cuda:0";
  return std::to_string(count) + " devices, cuda:0 to cuda:" + std::to_string(count - 1);
}

void read_properties(int index, DeviceFacts& facts) {
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, index) != cudaSuccess) return;
  facts.name = properties.name;
  facts.compute_capability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
  facts.multiprocessors = properties.multiProcessorCount;
  facts.copy_engines = properties.asyncEngineCount;
  facts.memory_bytes = properties.totalGlobalMem;
}

void try_kernel(int index, const std::string& built_for, DeviceFacts& facts) {
  auto status = cudaSetDevice(index);
  if (status == cudaSuccess) status = run_empty_kernel();
  cudaGetLastError();
  if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorUnsupportedPtxVersion) {
    auto architecture = facts.compute_capability;
    std::erase(architecture, '.');
    refuse(facts, "architecture not built",
           "architecture not built: device is sm_" + architecture + ", built for " + built_for);
  } else if (status != cudaSuccess) {
    refuse(facts, "failed", std::string("cannot use the device: ") + cudaGetErrorString(status));
  }
}

}  // namespace

DeviceFacts probe_device(int index, const std::string& built_for) {
  DeviceFacts facts;
  int driver = 0;
  int runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  facts.driver_api = version_text(driver);
  facts.runtime = version_text(runtime);
  const auto status = cudaGetDeviceCount(&facts.count);
  cudaGetLastError();
  if (status != cudaSuccess || facts.count == 0) {
    refuse_count(status, facts);
  } else if (index >= facts.count) {
    refuse(facts, "no device",
           "no CUDA device " + std::to_string(index) + ": this machine has " + devices_text(facts.count));
  } else {
    read_properties(index, facts);
    try_kernel(index, built_for, facts);
  }
  return facts;
}

}  // namespace harness::inline cuda
