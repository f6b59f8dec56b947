// Each threshold of the findings about the host's waits from both sides.
#include "tests/harness/trace/one_step.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cmath>
#include <string>

namespace {

using namespace harness;
using namespace harness::trace;
using tests::found;
using tests::one_step;
using tests::Story;

TEST_CASE("the operator that asked decides which finding a synchronization is", "[trace][findings]") {
  const auto [op, id] = GENERATE(table<const char*, const char*>(
      {{"aten::item", "item_sync"}, {"aten::nonzero", "dynamic_shape_sync"}, {"", "sync_calls"}}));
  const auto diagnosis = one_step([op = op](Story& story) {
    story.kernels(tests::pointwise, 1, 20'000);
    story.synchronize(op);
    story.pause(20'000);
  });
  INFO(id);
  CHECK(found(diagnosis, id) != nullptr);
}

TEST_CASE("a sparse operator that waits has a size that depends on data", "[trace][findings]") {
  const auto diagnosis = one_step([](Story& story) {
    story.kernels(tests::pointwise, 1, 3000);
    story.synchronize("aten::_coalesce");
    story.pause(2100);
  });
  CHECK(found(diagnosis, "dynamic_shape_sync") != nullptr);
}

TEST_CASE("exposed copies to the host are reported from 2 % of the time on", "[trace][findings]") {
  const auto copying_out = [](double us) {
    return one_step([us](Story& story) { story.copy("DtoH (Device -> Pinned)", 1e6, us); });
  };
  CHECK(found(copying_out(2010), "exposed_copies_out") != nullptr);
  CHECK(found(copying_out(1990), "exposed_copies_out") == nullptr);
}

/// So many kernels of 20 us, of which some block.
Diagnosis launching(int blocking, int others) {
  return one_step([&](Story& story) {
    for (int i = 0; i < blocking; ++i) story.blocking_kernel(tests::gemm, 20);
    story.kernels(tests::gemm, others, 20);
  });
}

TEST_CASE("launches that return when their kernel has ended are blocking ones, if nine in ten do",
          "[trace][findings]") {
  // The long product at the end of the step is one more that does not block.
  CHECK(found(launching(10, 0), "launch_blocking") != nullptr);
  const auto many = launching(700, 0);
  CHECK(many.shares[Use::wait_launch] + many.shares[Use::between] > 2000);
  CHECK(found(many, "launch_gaps") == nullptr);  // the same time
  CHECK(found(launching(9, 0), "launch_blocking") != nullptr);
  CHECK(found(launching(8, 0), "launch_blocking") == nullptr);
  CHECK(found(launching(10, 1), "launch_blocking") == nullptr);
  CHECK(found(launching(0, 20), "launch_blocking") == nullptr);
}

TEST_CASE("kernels that end before their launch begins are no sign of blocking launches",
          "[trace][findings]") {
  std::string events = tests::json(tests::range("ProfilerStep#1", 0, 100'000));
  for (int i = 1; i <= 20; ++i)
    events += ",\n" + tests::json(tests::call("cudaLaunchKernel", 4000 * i, 5, i)) + ",\n" +
              tests::json(tests::on_stream("kernel", tests::gemm, 4000 * i - 3000, 2000, i));
  const auto diagnosis = diagnose(parse_trace("[" + events + "]", "early.json"));
  CHECK(found(diagnosis, "launch_blocking") == nullptr);
}

TEST_CASE("short kernels may have ended when their launch returns", "[trace][findings]") {
  const auto diagnosis = one_step([](Story& story) {
    for (int i = 0; i < 30; ++i) story.blocking_kernel(tests::gemm, 9);
  });
  CHECK(found(diagnosis, "launch_blocking") == nullptr);
}

/// A value is read back behind an operator of that name, and then the host lets the device idle.
Diagnosis reading_behind(const std::string& check, double idle_us) {
  return one_step([&](Story& story) {
    story.within(check, "", [&] { story.kernels(tests::pointwise, 1, 3000); });
    story.synchronize("aten::item");
    story.pause(idle_us);
  });
}

TEST_CASE("a finding distinguishes GradScaler's reads from others", "[trace][findings]") {
  constexpr auto check = "aten::_amp_foreach_non_finite_check_and_unscale_";
  CHECK(found(reading_behind(check, 2100), "grad_scaler_sync") != nullptr);
  CHECK(found(reading_behind(check, 1900), "grad_scaler_sync") == nullptr);
  CHECK(found(reading_behind("aten::sum", 2100), "grad_scaler_sync") == nullptr);
  CHECK(found(reading_behind("aten::sum", 2100), "item_sync") != nullptr);
}

TEST_CASE("a synchronization costs no more than the time that the host waited", "[trace][findings]") {
  const auto synchronizing = [](double kernel_us) {
    return one_step([&](Story& story) {
      story.kernels(tests::pointwise, 1, kernel_us);
      story.synchronize();
      story.pause(30'000);
    });
  };
  const auto after_a_short_wait = synchronizing(100);
  CHECK(found(after_a_short_wait, "sync_calls") == nullptr);
  CHECK(found(after_a_short_wait, "outside_pytorch")->saves_us > 29'000);
  const auto after_a_long_wait = synchronizing(20'000);
  CHECK(std::abs(found(after_a_long_wait, "sync_calls")->saves_us - 20'000) < 100);
  CHECK(std::abs(found(after_a_long_wait, "outside_pytorch")->saves_us - 10'000) < 100);
}

}  // namespace
