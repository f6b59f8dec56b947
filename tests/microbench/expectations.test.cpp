#include "harness/core/step.hpp"

#include "microbench/microbench_steps.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace harness;

constexpr Device cuda{Device::Kind::cuda, 0};

/// What is expected of each row on a GPU, by the row's name.
std::map<std::string, Outcome> expected_on_a_gpu() {
  std::map<std::string, Outcome> all;
  for (const auto* step : microbench::steps()) {
    if (step->runs == Runs::host) continue;
    for (const auto& point : points(*step, cuda))
      all[row_name(*step, point, cuda)] = expected_of(*step, point, cuda);
  }
  return all;
}

/// Rows whose sign the machine decides, or that the lesson leaves open: docs/cuda_review.md, section 3.
constexpr std::string_view left_open[] = {
    "precision/amp_small_none/width:16/device:cuda",
    "memory/alloc_expandable_segments/rows:8192",
    "sync/pageable_implies/bytes:64KiB/ms:1",
    "sync/pageable_implies/bytes:128KiB/ms:1",
    "sync/pageable_implies/bytes:4MiB/ms:10",
    "overlap/implicit_sync/op:device_alloc",
    "overlap/implicit_sync/op:pinned_alloc",
    "transfer/pin_then_copy/bytes:64MiB/cache:warm",
    "transfer/nonblocking_large/bytes:16MiB/memory:pageable",
    "transfer/write_combined/bytes:64MiB/use:copy",
    "memory/kern_coalescing/pattern:offset1/device:cuda",
    "memory/kern_coalescing/pattern:offset11/device:cuda",
    "sync/control_flow/n:1024/checks:1/device:cuda",
    "memory/kern_shared_mem/kernel:transpose/n:512",
    "memory/kern_shared_mem/kernel:transpose/n:2048",
    "overlap/copy_engine_frees_sm/beside:product/blocks:8/bytes:64MiB",
    "precision/amp_fp16/width:4096/baseline:tf32",
    "launch/fuse_attention/positions:2048/dtype:float/device:cuda",
    "launch/fuse_activation_cost/function:gelu/dtype:float/device:cuda",
    "transfer/zero_copy_once/passes:1/touched:all",
    "transfer/to_noop/n:4194304/device:cuda",
    "precision/sync_gradscaler/parameters:512/device:cuda",
    "autograd/debug_apis/n:16/observer:idle/device:cuda",
    "overlap/bidirectional/bytes:1MiB",
    "transfer/staging_buffer/bytes:64MiB/staging:halves",
    "format/conv_bias_before_bn/shape:7x512/device:cuda",
    "dataload/gpu_transform/transform:normalize/nodes:512",
};

/// Their neighbours, of which the source's sign is still expected.
constexpr std::string_view still_expected[] = {
    "memory/alloc_expandable_segments/rows:131072",
    "sync/pageable_implies/bytes:4MiB/ms:1",
    "sync/pageable_implies/bytes:64MiB/ms:10",
    "overlap/implicit_sync/op:memset",
    "transfer/pin_then_copy/bytes:64KiB/cache:warm",
    "transfer/pin_then_copy/bytes:4MiB/cache:warm",
    "transfer/pin_then_copy/bytes:4MiB/cache:cold",
    "transfer/nonblocking_large/bytes:16MiB/memory:pinned",
    "transfer/nonblocking_large/bytes:4MiB/memory:pageable",
    "transfer/write_combined/bytes:1MiB/use:read",
    "memory/kern_coalescing/pattern:stride2/device:cuda",
    "memory/kern_shared_mem/kernel:transpose/n:8192",
    "memory/kern_shared_mem/kernel:product/n:512",
    "overlap/copy_engine_frees_sm/beside:product/blocks:256/bytes:64MiB",
    "precision/amp_fp16/width:4096/baseline:fp32",
    "launch/fuse_attention/positions:2048/dtype:bfloat16/device:cuda",
    "transfer/zero_copy_once/passes:1/touched:tenth",
    "autograd/debug_apis/n:16/observer:times/device:cuda",
    "traps/hot_cache/device:cuda",
    "traps/first_then_second/device:cuda",
};

TEST_CASE("of rows that the machine decides nothing is expected on a GPU", "[steps]") {
  const auto expected = expected_on_a_gpu();
  for (const auto row : left_open) {
    INFO(row);
    REQUIRE(expected.contains(std::string(row)));
    CHECK(expected.at(std::string(row)) == Outcome::depends);
  }
}

TEST_CASE("of their neighbours the source's sign is expected on a GPU", "[steps]") {
  const auto expected = expected_on_a_gpu();
  for (const auto row : still_expected) {
    INFO(row);
    REQUIRE(expected.contains(std::string(row)));
    CHECK(expected.at(std::string(row)) != Outcome::depends);
  }
}

TEST_CASE("every place that an expectation names has a row", "[steps]") {
  for (const auto* step : microbench::steps())
    for (const auto places :
         {step->expectation.about, step->expectation.except, step->expectation.hurts_at}) {
      INFO(step->id << ": " << places);
      const auto named = [&](std::string_view place) {
        for (const auto& device : {Device{}, cuda}) {
          if (step->runs == (device.is_cuda() ? Runs::host : Runs::cuda)) continue;
          auto asked = *step;
          asked.expectation = {.outcome = Outcome::depends, .published = "x", .hurts_at = place};
          for (const auto& point : points(*step, device))
            if (expected_of(asked, point, device) == Outcome::hurts) return true;
        }
        return false;
      };
      for (std::size_t begin = 0; begin < places.size();) {
        const auto end = std::min(places.find(' ', begin), places.size());
        CHECK(named(places.substr(begin, end - begin)));
        begin = end + 1;
      }
    }
}

}  // namespace
