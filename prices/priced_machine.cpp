#include "prices/priced_machine.hpp"

#include "harness/machine/available_memory.hpp"

namespace prices {

std::size_t host_bytes_to_use() { return harness::available_memory() / 2; }

std::vector<std::size_t> fitting(std::span<const std::size_t> sizes, std::size_t copies, std::size_t memory) {
  std::vector<std::size_t> all;
  for (const auto size : sizes)
    if (size * copies <= memory) all.push_back(size);
  return all;
}

}  // namespace prices
