#include "harness/machine/host.hpp"

#include <catch2/catch_test_macros.hpp>

namespace harness::inline machine {
namespace {

TEST_CASE("Threads of one core are one core", "[host]") {
  Host host{.logical_cpus = 4};
  read_cpuinfo(
      "model name\t: A CPU\ncpu MHz\t\t: 2600.5\nphysical id\t: 0\ncore id\t\t: 0\n\n"
      "model name\t: A CPU\nphysical id\t: 0\ncore id\t\t: 0\n\n"
      "model name\t: A CPU\nphysical id\t: 0\ncore id\t\t: 1\n\n"
      "model name\t: A CPU\nphysical id\t: 1\ncore id\t\t: 0\n",
      host);
  CHECK(host.cpu_model == "A CPU");
  CHECK(host.mhz == 2600.5);
  CHECK(host.physical_cores == 3);
}

TEST_CASE("A machine that does not tell its cores has as many as processors", "[host]") {
  Host host{.logical_cpus = 4};
  read_cpuinfo("processor : 0\nBogoMIPS : 50\n", host);
  CHECK(host.cpu_model == "unknown");
  CHECK(host.physical_cores == 4);
}

TEST_CASE("No more cores are used than the process may", "[host]") {
  CHECK(usable_cores({.physical_cores = 8, .cpus_allowed = 2}) == 2);
  CHECK(usable_cores({.physical_cores = 8, .cpus_allowed = 16}) == 8);
  CHECK(usable_cores({.physical_cores = 0, .cpus_allowed = 0}) == 1);
}

TEST_CASE("a step leaves one core free where there is a second one", "[machine]") {
  CHECK(default_threads({.physical_cores = 8, .cpus_allowed = 16}) == 7);
  CHECK(default_threads({.physical_cores = 2, .cpus_allowed = 2}) == 1);
  CHECK(default_threads({.physical_cores = 1, .cpus_allowed = 1}) == 1);
}

}  // namespace
}  // namespace harness::inline machine
