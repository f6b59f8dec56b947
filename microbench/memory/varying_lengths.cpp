#include "microbench/memory/varying_lengths.hpp"

#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/generator.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDACachingAllocator.h>

#include <cmath>

namespace microbench {
namespace {

namespace caching = c10::cuda::CUDACachingAllocator;

constexpr std::int64_t layers = 4;
constexpr std::int64_t width = 64;

/// The peak of one of the allocator's sums over all pools, in MiB.
double peak_of(const harness::Device& device, const std::function<void()>& run,
               c10::CachingAllocator::StatArray caching::DeviceStats::* sum) {
  const auto index = static_cast<c10::DeviceIndex>(device.index);
  caching::emptyCache();
  caching::resetPeakStats(index);
  run();
  const auto stats = caching::getDeviceStats(index);
  constexpr auto all = static_cast<std::size_t>(c10::CachingAllocator::StatType::AGGREGATE);
  return static_cast<double>((stats.*sum)[all].peak) / (1 << 20);
}

}  // namespace

VaryingLengths::VaryingLengths(const harness::Device& device, std::uint64_t seed, std::int64_t most_rows) {
  const auto generator = harness::host_generator(seed);
  const auto to = harness::torch_device(device);
  input_ = at::randn({most_rows, width}, generator).to(to);
  weights_ = at::randn({layers, width, width}, generator).div_(std::sqrt(static_cast<double>(width))).to(to);
  weights_.requires_grad_();
  total = at::zeros({1}, input_.options());
}

std::size_t VaryingLengths::bytes(std::int64_t rows) {
  return static_cast<std::size_t>(rows * width) * sizeof(float) * 3 * layers;
}

at::Tensor VaryingLengths::pass(std::int64_t rows) {
  auto x = input_.narrow(0, 0, rows);
  for (const auto& weight : weights_.unbind()) x = at::gelu(at::mm(x, weight));
  auto loss = x.square().mean();
  loss.backward();
  weights_.mutable_grad().reset();
  return loss.detach();
}

void VaryingLengths::step(std::int64_t rows) { total.add_(pass(rows)); }

void empty_cache(const harness::Device& device) {
  if (device.is_cuda()) caching::emptyCache();
}

double reserved_peak(const harness::Device& device, const std::function<void()>& run) {
  return peak_of(device, run, &caching::DeviceStats::reserved_bytes);
}

double allocated_peak(const harness::Device& device, const std::function<void()>& run) {
  return peak_of(device, run, &caching::DeviceStats::allocated_bytes);
}

}  // namespace microbench
