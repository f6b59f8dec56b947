// What the host does while a device idles: its own operators, functions of Python, or nothing that is known.
#include "tests/harness/trace/one_step.hpp"

#include "harness/trace/idle_cause.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace {

using namespace harness::trace;
using Catch::Matchers::ContainsSubstring;
using tests::found;
using tests::one_step;
using tests::Story;

/// A step whose device idles while `host` does something, and then copies a batch or launches a product.
Diagnosis idling(const std::function<void(Story&)>& host, bool copy) {
  return one_step([&](Story& story) {
    story.within("aten::mm", "", [&] { story.kernels(tests::gemm, 1, 100); });
    host(story);
    if (copy) story.copy("HtoD (Pinned -> Device)", 1e8, 1000);
  });
}

TEST_CASE("what the optimizer does on the host prepares no batch", "[trace][pauses]") {
  for (const auto* range : {"Optimizer.step#AdamW.step", "## backward ##"}) {
    INFO(range);
    const auto diagnosis = idling(
        [range](Story& story) {
          story.named(range, [&] {
            for (int i = 0; i < 80; ++i) story.within("aten::addcdiv_", "", [&] { story.pause(800); });
          });
        },
        true);
    CHECK(diagnosis.verdict.regime == Regime::overhead);
    CHECK(found(diagnosis, "input_preparation") == nullptr);
    REQUIRE(found(diagnosis, "host_operators") != nullptr);
    CHECK_THAT(found(diagnosis, "host_operators")->message, ContainsSubstring(range));
  }
  const auto fused = idling(
      [](Story& story) { story.within("aten::_fused_adam_", "", [&] { story.pause(60'000); }); }, true);
  CHECK(fused.verdict.regime == Regime::overhead);
  CHECK_THAT(found(fused, "host_operators")->message, ContainsSubstring("aten::_fused_adam_"));
}

TEST_CASE("an optimizer that runs on the host is told so, and not to take its fused form",
          "[trace][pauses]") {
  const auto diagnosis = idling(
      [](Story& story) {
        story.named("Optimizer.step#AdamW.step",
                    [&] { story.within("aten::_fused_adam_", "", [&] { story.pause(60'000); }); });
      },
      false);
  REQUIRE(found(diagnosis, "optimizer_share") != nullptr);
  CHECK_THAT(found(diagnosis, "optimizer_share")->message, ContainsSubstring("runs on the host"));
}

TEST_CASE("an optimizer whose step holds the whole step says nothing of what comes before a copy",
          "[trace][pauses]") {
  const auto diagnosis = one_step([](Story& story) {
    story.named("Optimizer.step#LBFGS.step", [&] {
      story.pause(1);
      story.within("autograd::engine::evaluate_function: AddmmBackward0", "",
                   [&] { story.kernels(tests::gemm, 1, 100); });
      story.pause(60'000);
      story.copy("HtoD (Pinned -> Device)", 1e8, 1000);
    });
  });
  CHECK(diagnosis.verdict.regime == Regime::input);
}

TEST_CASE("a recorded function before a copy is named, and only one of data may prepare the batch",
          "[trace][pauses]") {
  const auto within = [](const char* outer, const char* inner) {
    return idling(
        [=](Story& story) {
          story.function(outer, [&] {
            story.pause(1);
            story.function(inner, [&] { story.pause(60'000); });
            story.pause(1);
          });
        },
        true);
  };
  for (const auto* function : {"train.py(80): save_checkpoint", "train.py(70): log_metrics",
                               "ema.py(3): update", "train.py(9): save_batch"}) {
    INFO(function);
    const auto diagnosis = within(function, "torch/serialization.py(900): save");
    CHECK(diagnosis.verdict.regime == Regime::overhead);
    CHECK(found(diagnosis, "input_preparation") == nullptr);
    REQUIRE(found(diagnosis, "outside_pytorch") != nullptr);
    CHECK_THAT(found(diagnosis, "outside_pytorch")->message,
               ContainsSubstring(std::string("most in ") + function));
  }
  for (const auto* function : {"train.py(20): collate", "data.py(7): __getitem__", "train.py(30): next_batch",
                               "torch/utils/data/dataloader.py(700): __next__"}) {
    INFO(function);
    CHECK(within("train.py(5): step", function).verdict.regime == Regime::input);
  }
}

TEST_CASE("a function around the copy itself says nothing of what comes before it", "[trace][pauses]") {
  const auto diagnosis = one_step([](Story& story) {
    story.function("train.py(1): main", [&] {
      story.kernels(tests::gemm, 1, 100);
      story.pause(60'000);
      story.copy("HtoD (Pinned -> Device)", 1e8, 1000);
    });
  });
  CHECK(diagnosis.verdict.regime == Regime::input);
}

TEST_CASE("where nothing tells what comes before a copy, nobody claims that it prepares a batch",
          "[trace][pauses]") {
  const auto diagnosis = idling([](Story& story) { story.pause(60'000); }, true);
  REQUIRE(found(diagnosis, "input_preparation") != nullptr);
  CHECK_THAT(found(diagnosis, "input_preparation")->message,
             ContainsSubstring("if it prepares the batch meanwhile (with_stack=True shows what it does)"));
  CHECK(diagnosis.verdict.evidence.find("prepares") == std::string::npos);
}

TEST_CASE("the Python function before a copy is named, and nobody is told to record it", "[trace][pauses]") {
  const auto within = [](double us) {
    const auto diagnosis = one_step([us](Story& story) {
      story.kernels(tests::gemm, 1, 100);
      story.function("images.py(7): rescale_images", [&] { story.pause(us); });
      story.pause(60'000 - us);
      story.copy("HtoD (Pinned -> Device)", 1e8, 1000);
    });
    REQUIRE(found(diagnosis, "input_preparation") != nullptr);
    return found(diagnosis, "input_preparation")->message;
  };
  CHECK_THAT(within(31'000), ContainsSubstring("; most of it passes in images.py(7): rescale_images; if"));
  CHECK_THAT(within(29'000), !ContainsSubstring("images.py"));
  CHECK_THAT(within(29'000), !ContainsSubstring("with_stack"));
}

TEST_CASE("an operator that only makes a tensor is not told to run on the device", "[trace][pauses]") {
  const auto making = [](const char* op) {
    const auto diagnosis = one_step([=](Story& story) {
      story.kernels(tests::gemm, 1, 100);
      story.within(op, "", [&] { story.pause(20'000); });
      story.kernels(tests::gemm, 1, 100);
    });
    REQUIRE(found(diagnosis, "host_operators") != nullptr);
    return *found(diagnosis, "host_operators");
  };
  CHECK_THAT(making("aten::empty_strided").message, ContainsSubstring("it only makes tensors"));
  CHECK(making("aten::empty_strided").steps.empty());
  CHECK_THAT(making("aten::sort").message, ContainsSubstring("run them on the device"));
}

TEST_CASE("a gap far longer than launches is not theirs", "[trace][pauses]") {
  const auto pausing = [](int count, double us) {
    return one_step([=](Story& story) {
      for (int i = 0; i < count; ++i) {
        story.within("aten::mm", "", [&] { story.kernels(tests::gemm, 1, 10); });
        story.pause(us);
      }
    });
  };
  const auto one = pausing(1, 70'000);
  CHECK(one.verdict.regime == Regime::overhead);
  CHECK(found(one, "launch_gaps") == nullptr);
  REQUIRE(found(one, "outside_pytorch") != nullptr);
  CHECK_THAT(found(one, "outside_pytorch")->message, ContainsSubstring("with_stack=True shows where"));
  CHECK(one.verdict.would_change.find("graph") == std::string::npos);
  const auto many = pausing(70, 990);
  CHECK(found(many, "launch_gaps") != nullptr);
  CHECK(found(many, "outside_pytorch") == nullptr);
  CHECK(found(pausing(60, 1010), "outside_pytorch") != nullptr);
}

TEST_CASE("what lies behind the last launch waits for no launch", "[trace][pauses]") {
  const auto ending = [](const std::function<void(Story&)>& end) {
    Story story;
    story.step([&] {
      story.within("aten::mm", "", [&] { story.kernels(tests::gemm, 1, 1000); });
      story.synchronize();
      end(story);
    });
    return diagnose(story.trace());
  };
  const auto late = ending([](Story& story) { story.pause(5000); });
  CHECK(found(late, "launch_gaps") == nullptr);
  REQUIRE(found(late, "outside_pytorch") != nullptr);
  CHECK_THAT(found(late, "outside_pytorch")->message, ContainsSubstring("most behind the last launch; look"));
  const auto saving =
      ending([](Story& story) { story.function("a.py(7): save_all", [&] { story.pause(5000); }); });
  REQUIRE(found(saving, "outside_pytorch") != nullptr);
  CHECK_THAT(found(saving, "outside_pytorch")->message, ContainsSubstring("save_all"));
  const auto soon = ending([](Story& story) { story.pause(900); });
  CHECK(found(soon, "launch_gaps") == nullptr);
  CHECK(found(soon, "outside_pytorch") == nullptr);
}

TEST_CASE("an operator that fills a gap is named, not the next launch", "[trace][pauses]") {
  for (const auto* name : {"aten::sort", "torchvision::nms"}) {
    const auto diagnosis =
        idling([name](Story& story) { story.within(name, "", [&] { story.pause(75'000); }); }, false);
    CHECK(diagnosis.verdict.regime == Regime::overhead);
    CHECK(found(diagnosis, "launch_gaps") == nullptr);
    REQUIRE(found(diagnosis, "host_operators") != nullptr);
    CHECK_THAT(found(diagnosis, "host_operators")->message,
               ContainsSubstring(std::string("most by ") + name));
  }
}

TEST_CASE("operators that fill a gap together are named, and those that only call are not",
          "[trace][pauses]") {
  const auto calling = [](const char* name, double us, double python_us) {
    return idling(
        [=](Story& story) {
          for (double at = 0; at < 70'000; at += us + python_us) {
            story.within(name, "", [&] { story.pause(us - 1); });
            story.pause(python_us);
          }
        },
        false);
  };
  for (const double python_us : {10.0, 400.0}) {
    const auto diagnosis = calling("aten::sort", 500, python_us);
    CHECK(found(diagnosis, "launch_gaps") == nullptr);
    REQUIRE(found(diagnosis, "host_operators") != nullptr);
    CHECK_THAT(found(diagnosis, "host_operators")->message, ContainsSubstring("most by aten::sort"));
  }
  CHECK(found(calling("aten::sort", 200, 300), "host_operators") == nullptr);
  CHECK(found(calling("aten::view", 500, 10), "host_operators") == nullptr);
}

TEST_CASE("an operator that takes long to launch its kernel does not run on the host", "[trace][pauses]") {
  const auto diagnosis = idling(
      [](Story& story) {
        story.within("aten::cudnn_convolution", "", [&] {
          story.pause(60'000);
          story.kernels(tests::gemm, 1, 100);
        });
      },
      false);
  CHECK(found(diagnosis, "host_operators") == nullptr);
  CHECK(found(diagnosis, "outside_pytorch") == nullptr);
  CHECK_THAT(found(diagnosis, "launch_gaps")->message, ContainsSubstring("most by aten::cudnn_convolution"));
}

TEST_CASE("a call of the runtime that takes long is no pause of the host", "[trace][pauses]") {
  const auto trace =
      tests::trace_of({tests::op("aten::mm", 0, 10), tests::call("cudaGraphInstantiate", 20, 5000, 1),
                       tests::op("aten::mm", 5030, 10), tests::op("aten::mm", 7040, 10)});
  const auto pauses = host_pauses(trace);
  REQUIRE(pauses.size() == 1);
  CHECK(pauses[0].begin == 5'040'000);
  CHECK(pauses[0].end == 7'040'000);
}

TEST_CASE("a run of graphs whose host is late is not told to take larger kernels", "[trace][pauses]") {
  const auto graphs = [](double us) {
    return one_step([us](Story& story) {
      for (double at = 0; at < 70'000; at += us) {
        story.within("aten::add", "", [&] { story.graph(tests::gemm, 2, 20); });
        story.pause(us);
      }
    });
  };
  for (const double us : {500.0, 1600.0}) {
    const auto change = graphs(us).verdict.would_change;
    CHECK(change.find("larger kernels") == std::string::npos);
    CHECK(change.find("CUDA graph") == std::string::npos);
  }
}

}  // namespace
