#include "workloads/stgym/data/memory.hpp"

#include "harness/setup.hpp"

#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <string>

namespace workloads::stgym {

void require_memory(std::size_t bytes, std::string_view what) {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::size_t kib = 0;
  while (file >> name >> kib && name != "MemAvailable:") file.ignore(std::numeric_limits<int>::max(), '\n');
  if (!file) return;  // not Linux: nobody to ask
  const auto gib = [](std::size_t n) { return static_cast<double>(n) / (1 << 30); };
  if (bytes > kib * 1024)
    throw harness::Skip(
        fmt::format("{} {:.1f} GiB of memory, {:.1f} GiB are free; a smaller --scale needs less", what,
                    gib(bytes), gib(kib * 1024)));
}

}  // namespace workloads::stgym
