#include "microbench/launch/padding.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using microbench::bucket_of;

TEST_CASE("a batch goes to the smallest bucket that holds it", "[launch]") {
  CHECK(bucket_of(1, 4096, 4) == 1);
  CHECK(bucket_of(1024, 4096, 4) == 1);
  CHECK(bucket_of(1025, 4096, 4) == 2);
  CHECK(bucket_of(4096, 4096, 4) == 4);
  CHECK(bucket_of(512, 4096, 1) == 1);
}

}  // namespace
