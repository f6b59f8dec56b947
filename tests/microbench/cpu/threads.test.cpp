#include "microbench/cpu/threads.hpp"

#include <ATen/Parallel.h>
#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

using namespace microbench;

TEST_CASE("the number of threads is put back", "[cpu]") {
  const int before = at::get_num_threads();
  {
    ThreadCount threads;
    threads.set(before + 2);
    CHECK(at::get_num_threads() == before + 2);
  }
  CHECK(at::get_num_threads() == before);
}

TEST_CASE("a thread that was tied to a CPU is let go again", "[cpu]") {
  const auto before = cpus_in(affinity());
  {
    ThreadCount threads;
    Binding binding;
    threads.set(static_cast<int>(before.size()));
    REQUIRE(binding.tie());
    CHECK(cpus_in(affinity()) == std::vector{before.front()});
    CHECK(binding.let_go());
    CHECK(cpus_in(affinity()) == before);
    binding.tie();
  }
  CHECK(cpus_in(affinity()) == before);
}

}  // namespace
