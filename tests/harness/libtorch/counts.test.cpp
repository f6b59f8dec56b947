#include "harness/libtorch/kineto.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <stdexcept>
#include <thread>

namespace {

using namespace harness;

const auto trace = nlohmann::json::parse(R"json({"traceEvents": [
  {"name": "Memcpy HtoD (Pageable -> Device)", "cat": "gpu_memcpy", "args": {"bytes": 100}},
  {"name": "Memcpy HtoD (Pinned -> Device)", "cat": "gpu_memcpy", "args": {"bytes": 28}},
  {"name": "Memcpy DtoH (Device -> Pageable)", "cat": "gpu_memcpy", "args": {"bytes": 4}},
  {"name": "Memcpy DtoD (Device -> Device)", "cat": "gpu_memcpy", "args": {"bytes": 8}},
  {"name": "cudaStreamSynchronize", "cat": "cuda_runtime"},
  {"name": "Stream Sync", "cat": "cuda_sync"},
  {"name": "cudaDeviceSynchronize", "cat": "cuda_runtime"},
  {"name": "aten::copy_", "cat": "cpu_op",
   "args": {"Input Dims": [[3, 2], [3, 2], []], "Input type": ["long int", "float", "Scalar"]}},
  {"name": "aten::copy_", "cat": "cpu_op"},
  {"name": "aten::add", "cat": "cpu_op"},
  {"name": "my range", "cat": "cpu_op"},
  {"ph": "M"}]})json");

TEST_CASE("copies between host and device are counted by direction, with their bytes", "[counts]") {
  const auto counts = counts_of(trace);
  CHECK(counts.host_to_device == std::vector<std::int64_t>{100, 28});
  CHECK(counts.device_to_host == std::vector<std::int64_t>{4});
}

TEST_CASE("a synchronization is a call in which the host waits, and the profiler's own is none", "[counts]") {
  CHECK(counts_of(trace).synchronizations == 1);
}

TEST_CASE("operators and the bytes that copy_ writes are counted on the host", "[counts]") {
  const auto counts = counts_of(trace);
  CHECK(counts.operators == 3);
  CHECK(counts.copies == 2);
  CHECK(counts.copied_bytes == 48);
}

TEST_CASE("a profiled run of one copy counts that copy", "[counts]") {
  const auto from = at::ones({10, 3});
  auto to = at::zeros({10, 3}, at::kDouble);
  const auto counts = count({}, [&] { to.copy_(from); });
  CHECK(counts.copies == 1);
  CHECK(counts.copied_bytes == 240);
}

TEST_CASE("operators that another thread runs meanwhile are counted too", "[counts]") {
  auto to = at::zeros({4});
  const auto counts = count({}, [&] { std::jthread([&] { to.copy_(at::ones({4})); }); });
  CHECK(counts.copies == 1);
}

TEST_CASE("the profiler is off again after work that threw", "[counts]") {
  CHECK_THROWS_AS(count({}, [] { throw std::runtime_error("work"); }), std::runtime_error);
  CHECK(count({}, [] { at::ones({2}); }).operators > 0);
}

}  // namespace
