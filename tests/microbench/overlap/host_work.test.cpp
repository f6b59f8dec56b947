#include "microbench/overlap/host_work.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

TEST_CASE("the host's work is the recurrence, a round at a time", "[overlap]") {
  CHECK(microbench::host_work(0.5F, 0) == 1.0F);
  CHECK(microbench::host_work(0.0F, 1) == 1.0F);  // 0 / 2 + 1 / sqrt(0 + 1)
  CHECK(microbench::host_work(0.25F, 1000) != microbench::host_work(0.5F, 1000));
}

TEST_CASE("more time is more rounds, and never none", "[overlap]") {
  CHECK(microbench::host_work_rounds(0) == 1);
  CHECK(microbench::host_work_rounds(1e-3) > 1);
}

}  // namespace
