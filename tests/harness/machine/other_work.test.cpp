#include "tests/harness/machine/made_up_tree.hpp"

#include "harness/machine/host.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <unistd.h>

using namespace harness;

TEST_CASE("all CPUs are busy for users, niced work, the system, interrupts and other guests",
          "[other_work]") {
  const example::MadeUpTree tree;
  tree.put("proc/stat", "cpu  10 20 30 4000 5000 60 70 800 90 100\ncpu0 1 2 3 4 5 6 7 8 9 10\n");
  const auto busy = busy_seconds(tree.files());
  REQUIRE(busy);
  CHECK(*busy == Catch::Approx(990.0 / static_cast<double>(sysconf(_SC_CLK_TCK))));
}

TEST_CASE("a kernel that does not say how busy it was is not taken for an idle one", "[other_work]") {
  const example::MadeUpTree tree;
  CHECK_FALSE(busy_seconds(tree.files()));
  tree.put("proc/stat", "cpu  10 20 30\n");
  CHECK_FALSE(busy_seconds(tree.files()));
}

TEST_CASE("what the CPUs did beyond this process is other work", "[other_work]") {
  const example::MadeUpTree tree;
  tree.put("proc/stat", "cpu  0 0 0 0 0 0 0 0\n");
  const OtherWork other(tree.files());
  CHECK(other.share() == 0);
  tree.put("proc/stat", "cpu  1000000000 0 0 0 0 0 0 0\n");
  CHECK(other.share() == 1);
  CHECK(other.share(3600) == std::nullopt);
}

TEST_CASE("other work is worth a word from a share on, whatever a file has for one", "[other_work]") {
  CHECK(busy_text("0.62") == "other programs took 62 % of the CPUs meanwhile");
  for (const auto* text : {"", "0.15", "0", "unknown", "nan", "inf", "62", "-1", "0.62 \x1b"})
    CHECK(busy_text(text).empty());
}

TEST_CASE("the share of other work is a share", "[other_work]") {
  const OtherWork other;
  volatile double sum = 0;
  for (int i = 0; i < 1'000'000; ++i) sum = sum + i;
  const auto share = other.share();
  if (!share) SKIP("/proc/stat does not say");
  CHECK(*share >= 0);
  CHECK(*share <= 1);
}
