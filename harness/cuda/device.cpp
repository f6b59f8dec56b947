#include "harness/cuda/device.hpp"

#include "harness/cuda/empty_kernel.hpp"

#include <cuda_runtime_api.h>

namespace harness {
namespace {

/// 13000 -> "13.0"; 0, which stands for none, becomes empty.
std::string version_text(int version) {
  if (version == 0) return {};
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string why_no_count(cudaError_t status, const DeviceFacts& facts) {
  if (status == cudaErrorInsufficientDriver && !facts.driver_api.empty())
    return "driver too old: have CUDA " + facts.driver_api + ", need " + facts.runtime;
  if (status == cudaErrorNoDevice || status == cudaErrorInsufficientDriver) return "no CUDA device";
  return std::string("CUDA does not start: ") + cudaGetErrorString(status);
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

std::string why_no_kernel(int index, const DeviceFacts& facts, const std::string& built_for) {
  auto status = cudaSetDevice(index);
  if (status == cudaSuccess) status = run_empty_kernel();
  cudaGetLastError();
  if (status == cudaSuccess) return {};
  if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorUnsupportedPtxVersion) {
    auto architecture = facts.compute_capability;
    std::erase(architecture, '.');
    return "architecture not built: device is sm_" + architecture + ", built for " + built_for;
  }
  return std::string("the device cannot be used: ") + cudaGetErrorString(status);
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
    facts.count = 0;
    facts.reason = status == cudaSuccess ? "no CUDA device" : why_no_count(status, facts);
    return facts;
  }
  if (index >= facts.count) {
    facts.reason = "no CUDA device " + std::to_string(index) + ", only " + std::to_string(facts.count);
    return facts;
  }
  read_properties(index, facts);
  facts.reason = why_no_kernel(index, facts, built_for);
  return facts;
}

}  // namespace harness
