// Ranks have a CPU each, and a machine may have too few for a test.
#pragma once

#include "harness/machine/numa.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstddef>
#include <string>

/// Skips the test that calls it where this process may use fewer.
inline void need_cpus(std::size_t count) {
  if (harness::cpus_of_this_thread().size() < count) SKIP("needs " + std::to_string(count) + " CPUs");
}
