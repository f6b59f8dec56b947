#include "harness/libtorch/torch_runtime.hpp"

#include "harness/cuda/cuda_fault.hpp"
#include "harness/cuda/pageable_pinned_device_buffers.hpp"
#include "harness/libtorch/answer.hpp"
#include "harness/support/quantity.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <ATen/core/CachingHostAllocator.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/headeronly/version.h>

#include <regex>

namespace harness::inline libtorch {
namespace {

double bytes_in(const std::string& unit) {
  constexpr double step = 1024;
  return unit == "KiB" ? step : unit == "MiB" ? step * step : unit == "GiB" ? step * step * step : 1;
}

/// What LibTorch says it had tried to get, "698.00 MiB" or a number of bytes, with our digits.
std::string wanted(const std::string& message) {
  std::smatch found;
  if (!std::regex_search(message, found, std::regex("ried to allocate ([0-9.]+) ([A-Za-z]+)")))
    return "needs more memory than is available";
  return "needs " + memory_text(std::stod(found[1].str()) * bytes_in(found[2].str()));
}

/// What nobody uses.
struct Spacer {
  at::Tensor block;
  std::optional<DeviceSpacer> on_device;
};

}  // namespace

struct TorchRuntime::Cuda {
  explicit Cuda(int device)
      : index(device),
        guard(c10::cuda::getStreamFromExternal(stream.get(), static_cast<c10::DeviceIndex>(device))) {}
  int index;
  Stream stream;
  c10::cuda::CUDAStreamGuard guard;
};

TorchRuntime::TorchRuntime(int threads) {
  at::set_num_threads(threads);
  // LibTorch's threads start here, where all processors may be used: threads keep the affinity that the
  // thread which starts them has, and a row on a GPU moves its own to the GPU's NUMA node.
  at::parallel_for(0, threads, 1, [](std::int64_t, std::int64_t) {});
}

TorchRuntime::~TorchRuntime() = default;

const Stream* TorchRuntime::stream_for(const Device& device) {
  if (!device.is_cuda()) return nullptr;
  if (!cuda_ || cuda_->index != device.index) {
    cuda_.reset();
    check(cudaSetDevice(device.index));
    cuda_ = std::make_unique<Cuda>(device.index);
  }
  return &cuda_->stream;
}

void TorchRuntime::release_memory() const {
  if (!cuda_) return;
  c10::cuda::CUDACachingAllocator::emptyCache();
  at::getHostAllocator(at::kCUDA)->empty_cache();
}

std::shared_ptr<const void> spacer(const Device& device, Random& random) {
  constexpr std::uint64_t page = 4096;
  constexpr std::uint64_t most_pages = 256;  // 1 MiB, what LibTorch's allocator counts as small
  const auto options = at::TensorOptions().dtype(at::kByte).device(torch_device(device));
  const auto spacer = std::make_shared<Spacer>();
  spacer->block = at::empty({static_cast<std::int64_t>(page * (1 + random.below(most_pages)))}, options);
  if (device.is_cuda()) spacer->on_device.emplace(random);
  return spacer;
}

Fault fault_of(const std::exception& error, const Device& device) {
  if (const auto* memory = dynamic_cast<const c10::OutOfMemoryError*>(&error))
    return device_memory_fault(wanted(memory->what_without_backtrace()));
  if (const auto* torch = dynamic_cast<const c10::Error*>(&error)) {
    const std::string message = torch->what_without_backtrace();
    if (message.find("DefaultCPUAllocator: can't allocate memory") != std::string::npos)
      return {true, wanted(message) + ", more than the host can provide"};
    return {false, first_line(message)};
  }
  return device_fault(error, device);
}

std::string torch_version() { return TORCH_VERSION; }

std::string torch_cpu_capability() { return at::get_cpu_capability(); }

}  // namespace harness::inline libtorch
