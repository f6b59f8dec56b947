// The configurations that come with the program: workloads/stgym/configurations, embedded when it was built.
#pragma once

#include "workloads/stgym/space/configuration.hpp"

#include <span>
#include <string_view>

namespace workloads::stgym::space {

struct Shipped {
  std::string_view name;  // "benchmark" of benchmark.json
  std::string_view text;
};

/// Sorted by name.
std::span<const Shipped> shipped_configurations();

/// The published benchmark: what is trained where nobody says otherwise.
Configuration benchmark_configuration();

}  // namespace workloads::stgym::space
