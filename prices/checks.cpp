#include "prices/checks.hpp"

#include "prices/price_kernels.hpp"

namespace prices {

using harness::check;

void fill_on_device(std::span<std::byte> bytes, std::uint32_t seed, const harness::Stream& stream) {
  auto* words = reinterpret_cast<std::uint32_t*>(bytes.data());
  check(queue_pattern(words, bytes.size() / sizeof *words, seed, stream.get()));
  stream.synchronize();
}

void clear_on_device(std::span<std::byte> bytes, const harness::Stream& stream) {
  check(cudaMemsetAsync(bytes.data(), 0, bytes.size(), stream.get()));
  stream.synchronize();
}

void DeviceCheck::queue(std::span<const std::byte> bytes, std::uint32_t seed, const harness::Stream& stream) {
  auto* wrong = reinterpret_cast<std::uint32_t*>(wrong_.data());
  check(cudaMemsetAsync(wrong, 0, sizeof *wrong, stream.get()));
  const auto* words = reinterpret_cast<const std::uint32_t*>(bytes.data());
  check(queue_check(words, bytes.size() / sizeof *words, seed, wrong, stream.get()));
}

void DeviceCheck::require(const harness::Stream& stream) {
  std::uint32_t found = 0;
  check(cudaMemcpyAsync(&found, wrong_.data(), sizeof found, cudaMemcpyDeviceToHost, stream.get()));
  stream.synchronize();
  if (found != 0) throw std::runtime_error("the copy is wrong in " + std::to_string(found) + " words");
}

void require_on_device(std::span<const std::byte> bytes, std::uint32_t seed, const harness::Stream& stream) {
  DeviceCheck all;
  all.queue(bytes, seed, stream);
  all.require(stream);
}

}  // namespace prices
