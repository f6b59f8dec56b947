#include "tests/harness/machine/made_up_tree.hpp"

#include "harness/machine/host.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <unistd.h>

using namespace harness;

TEST_CASE("steal time is the eighth number of all CPUs, in seconds", "[steal]") {
  const example::MadeUpTree tree;
  tree.put("proc/stat", "cpu  10 20 30 40 50 60 70 800 90 100\ncpu0 1 2 3 4 5 6 7 8 9 10\n");
  CHECK(steal_seconds(tree.files()) == Catch::Approx(800.0 / static_cast<double>(sysconf(_SC_CLK_TCK))));
}

TEST_CASE("a kernel that does not say what was stolen has stolen nothing", "[steal]") {
  const example::MadeUpTree tree;
  CHECK(steal_seconds(tree.files()) == 0);
  tree.put("proc/stat", "cpu  10 20 30\n");
  CHECK(steal_seconds(tree.files()) == 0);
}
