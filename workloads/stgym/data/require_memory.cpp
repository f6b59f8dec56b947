#include "workloads/stgym/data/require_memory.hpp"

#include "harness/core/setup.hpp"
#include "harness/machine/available_memory.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <bit>

namespace workloads::stgym {

std::size_t pinned_bytes(std::size_t bytes) { return std::bit_ceil(bytes); }

void require_memory(std::size_t bytes, std::string_view what) {
  const auto available = harness::available_memory();
  if (bytes <= available) return;
  const auto text = [](std::size_t n) { return harness::memory_text(static_cast<double>(n)); };
  throw harness::Skip(fmt::format("{} {} of memory, {} are free; a smaller --scale needs less", what,
                                  text(bytes), text(available)));
}

}  // namespace workloads::stgym
