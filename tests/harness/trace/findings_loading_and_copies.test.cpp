// Each threshold of the findings about pinning and copies from both sides.
#include "tests/harness/trace/one_step.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace {

using namespace harness::trace;
using tests::found;
using tests::one_step;
using tests::Story;

/// A step of a hundred milliseconds, of which aten::copy_ has so much on the host and on the device.
Diagnosis copying(double host_us, double device_us) {
  const double second = std::max(10 + device_us, host_us + 8);
  return diagnose(tests::trace_of(
      {tests::range("ProfilerStep#1", 0, 100'000), tests::op("aten::copy_", 0, host_us),
       tests::call("cudaLaunchKernel", 1, 5, 1),
       tests::on_stream("kernel", "copy_device_to_device", 10, device_us, 1),
       tests::op("aten::mm", host_us + 1, 50), tests::call("cudaLaunchKernel", host_us + 2, 5, 2),
       tests::on_stream("kernel", tests::gemm, second, 100'000 - second, 2)}));
}

TEST_CASE("copy_ is a large share from a tenth of Self CPU or of Self CUDA on", "[trace][findings]") {
  CHECK(found(copying(10'100, 10), "copy_ops") != nullptr);
  CHECK(found(copying(9'900, 10), "copy_ops") == nullptr);
  CHECK(found(copying(100, 10'100), "copy_ops") != nullptr);
  CHECK(found(copying(100, 9'900), "copy_ops") == nullptr);
}

TEST_CASE("copy_ is a high finding from three tenths on", "[trace][findings]") {
  CHECK(found(copying(30'100, 10), "copy_ops")->severity == Severity::high);
  CHECK(found(copying(29'900, 10), "copy_ops")->severity == Severity::medium);
  CHECK(found(copying(100, 30'100), "copy_ops")->severity == Severity::high);
}

TEST_CASE("copy_ is no finding where it takes less than 2 % of the time, whatever its share of the operators",
          "[trace][findings]") {
  // Without steps, whose ranges count as Self CPU, only operators and calls are in the table.
  const auto replaying = [](double copying_us) {
    return diagnose(tests::trace_of(
        {tests::op("aten::copy_", 0, copying_us), tests::call("cudaLaunchKernel", 1, 5, 1),
         tests::on_stream("kernel", "copy_device_to_device", 10, 10, 1),
         tests::op("aten::mm", copying_us + 1, 50), tests::call("cudaLaunchKernel", copying_us + 2, 5, 2),
         tests::on_stream("kernel", tests::gemm, 20'000, 80'000, 2)}));
  };
  CHECK(found(replaying(500), "copy_ops") == nullptr);
  CHECK(found(replaying(5000), "copy_ops") != nullptr);
}

TEST_CASE("ten small copies a step are many, nine are not", "[trace][findings]") {
  const auto copies = [](int count, double bytes) {
    return one_step([=](Story& story) {
      for (int i = 0; i < count; ++i) {
        story.pause(400);
        story.copy("HtoD (Pinned -> Device)", bytes, 250);
      }
    });
  };
  CHECK(found(copies(10, 1024), "small_copies") != nullptr);
  CHECK(found(copies(9, 1024), "small_copies") == nullptr);
  CHECK(found(copies(10, 65536), "small_copies") == nullptr);
}

TEST_CASE("findings distinguish copies from pageable and from pinned memory", "[trace][findings]") {
  const auto copy = [](const char* kind) {
    return one_step([=](Story& story) { story.copy(kind, 1e8, 10'000); });
  };
  const auto pageable = copy("HtoD (Pageable -> Device)");
  CHECK(found(pageable, "pageable_copies_in") != nullptr);
  CHECK(found(pageable, "exposed_copies_in") == nullptr);
  const auto pinned = copy("HtoD (Pinned -> Device)");
  CHECK(found(pinned, "pageable_copies_in") == nullptr);
  CHECK(found(pinned, "exposed_copies_in") != nullptr);
}

TEST_CASE("small copies save no more than themselves and their calls", "[trace][findings]") {
  for (const auto* kind : {"HtoD (Pinned -> Device)", "HtoD (Pageable -> Device)", "DtoH (Device -> Pinned)",
                           "HtoD (Host -> Device)"}) {
    INFO(kind);
    const auto diagnosis = one_step([kind](Story& story) {
      for (int i = 0; i < 100; ++i) {
        story.pause(400);
        story.copy(kind, 1024, 30);
      }
    });
    REQUIRE(found(diagnosis, "small_copies") != nullptr);
    CHECK(found(diagnosis, "small_copies")->saves_us <= 100 * (30 + Story::launch_us));
  }
}

TEST_CASE("what the host does before a copy is not the copy's", "[trace][findings]") {
  for (const auto* kind : {"HtoD (Pageable -> Device)", "HtoD (Pinned -> Device)"}) {
    const auto diagnosis = one_step([kind](Story& story) {
      story.kernels(tests::gemm, 1, 100);
      story.pause(50'000);
      story.copy(kind, 1e8, 1000);
    });
    CHECK(found(diagnosis, "pageable_copies_in") == nullptr);
    CHECK(found(diagnosis, "exposed_copies_in") == nullptr);
    REQUIRE(found(diagnosis, "input_preparation") != nullptr);
    CHECK(found(diagnosis, "input_preparation")->saves_us > 49'000);
    CHECK(diagnosis.verdict.regime == Regime::input);
  }
}

TEST_CASE("where the kind of memory was not recorded none is named", "[trace][findings]") {
  const auto diagnosis = one_step([](Story& story) { story.copy("HtoD (Host -> Device)", 1e8, 10'000); });
  CHECK(found(diagnosis, "pageable_copies_in") == nullptr);
  REQUIRE(found(diagnosis, "exposed_copies_in") != nullptr);
  CHECK(found(diagnosis, "exposed_copies_in")->message.find("pinned") == std::string::npos);
}

/// A copy of a tenth of the step within ranges, the outer one first.
Diagnosis copying_within(const std::string& outer, const std::string& inner) {
  return one_step([&](Story& story) {
    story.named(outer, [&] {
      story.pause(1);
      story.named(inner, [&] {
        story.pause(1);
        story.copy("HtoD (Pageable -> Device)", 1e8, 10'000);
      });
      story.pause(1);
    });
  });
}

TEST_CASE("copies within the forward or the backward pass are the model's, others bring input",
          "[trace][findings]") {
  for (const auto& [outer, inner] : {std::pair{"fwd", "pool"}, std::pair{"train", "## forward ##"},
                                     std::pair{"bwd", "autograd::engine::evaluate_function: Copy"}}) {
    INFO(outer << ", " << inner);
    CHECK(found(copying_within(outer, inner), "model_copies") != nullptr);
    CHECK(found(copying_within(outer, inner), "pageable_copies_in") == nullptr);
  }
  for (const auto& [outer, inner] : {std::pair{"fwd", "h2d"}, std::pair{"train", "step 1"},
                                     std::pair{"DistributedDataParallel.forward", "scatter"}}) {
    INFO(outer << ", " << inner);
    CHECK(found(copying_within(outer, inner), "model_copies") == nullptr);
    CHECK(found(copying_within(outer, inner), "pageable_copies_in") != nullptr);
  }
}

/// Steps of a training whose optimizer runs on the host, or on the device, and whose parameters then go to
/// the device.
Diagnosis offloading(bool on_host, double bytes_out, bool loads_first = false) {
  Story story;
  for (int i = 0; i < 4; ++i)
    story.step([&] {
      story.load(100);
      story.copy("HtoD (Pinned -> Device)", 3e5, 100);
      story.kernels(tests::gemm, 10, 2000);
      story.copy("DtoH (Device -> Pinned)", bytes_out, 1000);
      story.synchronize("aten::item");
      story.named("Optimizer.step#AdamW.step", [&] {
        if (on_host)
          story.within("aten::_fused_adamw_", "", [&] { story.pause(5000); });
        else
          story.kernels("adam", 2, 100);
      });
      if (loads_first) story.load(10);
      story.pause(1);
      story.copy("HtoD (Pinned -> Device)", 1e8, 10'000);
      story.synchronize("aten::item");
    });
  return diagnose(story.trace());
}

TEST_CASE("parameters that an optimizer on the host has updated are no input", "[trace][findings]") {
  for (const double bytes_out : {1e8, 5e7}) {
    const auto diagnosis = offloading(true, bytes_out);
    CHECK(found(diagnosis, "exposed_copies_in") == nullptr);
    CHECK(found(diagnosis, "input_preparation") == nullptr);
    REQUIRE(found(diagnosis, "model_copies") != nullptr);
    CHECK(found(diagnosis, "model_copies")->message.find("updated on the host") != std::string::npos);
  }
  CHECK(found(offloading(true, 5e7, true), "model_copies") == nullptr);  // a batch was loaded
  CHECK(found(offloading(false, 1e8), "model_copies") == nullptr);
  CHECK(found(offloading(false, 1e8), "exposed_copies_in") != nullptr);
}

TEST_CASE("a model that copies most of the time is not told to load faster", "[trace][findings]") {
  const auto diagnosis = one_step([](Story& story) {
    story.named("fwd", [&] {
      story.pause(1);
      story.copy("HtoD (Pageable -> Device)", 1e9, 60'000);
    });
  });
  CHECK(diagnosis.verdict.regime == Regime::overhead);
  CHECK(diagnosis.verdict.would_change ==
        "making or keeping these tensors on the device, or copying them once");
}

TEST_CASE("the training thread's pinning is reported from 2 % of the time on, the loader's is not",
          "[trace][findings]") {
  const auto pinning = [](double us, bool in_loader) {
    return one_step([&](Story& story) {
      const auto pin = [&] {
        story.pause(1);
        story.within("aten::pin_memory", "", [&] { story.pause(us); });
      };
      if (in_loader)
        story.named("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", pin);
      else
        pin();
    });
  };
  CHECK(found(pinning(2010, false), "pinning_in_step") != nullptr);
  CHECK(found(pinning(1990, false), "pinning_in_step") == nullptr);
  CHECK(found(pinning(2010, true), "pinning_in_step") == nullptr);
}

TEST_CASE("the operator that prepares a batch is named where it takes half of the time",
          "[trace][findings]") {
  const auto preparing = [](double us) {
    const auto diagnosis = one_step([us](Story& story) {
      story.kernels(tests::pointwise, 1, 10);
      story.pause(100);
      story.within("aten::randn", "", [&] { story.pause(us); });
      story.pause(20'000 - us);
      story.copy("HtoD (Pageable -> Device)", 1e8, 1000);
    });
    REQUIRE(found(diagnosis, "input_preparation") != nullptr);
    return found(diagnosis, "input_preparation")->message;
  };
  CHECK(preparing(12'000).find("; aten::randn takes most of it") != std::string::npos);
  CHECK(preparing(9'000).find("aten::randn") == std::string::npos);
}

}  // namespace
