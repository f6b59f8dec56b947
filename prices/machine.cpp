#include "prices/machine.hpp"

#include "harness/machine/system_files.hpp"

#include <algorithm>
#include <cstdlib>

namespace prices {

std::size_t host_bytes_to_use() {
  const harness::SystemFiles files;
  const auto available = files.field("proc/meminfo", "MemAvailable").value_or("0");
  double bytes = 1024 * std::strtod(available.c_str(), nullptr);
  const auto limit = files.number("sys/fs/cgroup/memory.max");  // "max", without one, is no number
  if (limit) bytes = std::min(bytes, *limit - files.number("sys/fs/cgroup/memory.current").value_or(0));
  return static_cast<std::size_t>(std::max(0.0, bytes / 2));
}

std::vector<std::size_t> fitting(std::span<const std::size_t> sizes, std::size_t copies, std::size_t memory) {
  std::vector<std::size_t> all;
  for (const auto size : sizes)
    if (size * copies <= memory) all.push_back(size);
  return all;
}

}  // namespace prices
