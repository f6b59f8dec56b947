// Each threshold of the findings of a training thread from both sides.
#include "tests/harness/trace/one_step.hpp"
#include "tests/harness/trace/thread_story.hpp"

#include "harness/trace/diagnosis_text.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace harness;
using namespace harness::trace;
using namespace tests;

TEST_CASE("a loader's wait, its transforms and gaps are reported from 2 % of the time on",
          "[trace][thread]") {
  CHECK(found(reading(2010), "data_loader_wait") != nullptr);
  CHECK(found(reading(1990), "data_loader_wait") == nullptr);
  CHECK(found(transforming(2010), "loader_transform") != nullptr);
  CHECK(found(transforming(1990), "loader_transform") == nullptr);
  CHECK(found(gap(2010), "outside_pytorch") != nullptr);
  CHECK(found(gap(1990), "outside_pytorch") == nullptr);
}

/// Steps of ten milliseconds and what the loader's transforms take; the first and the last are not judged.
Diagnosis transforming_steps(const std::vector<double>& transforms, double held_back = 0) {
  std::string text;
  double begin = 0;
  for (std::size_t i = 0; i < transforms.size(); ++i) {
    const double took = transforms[i], length = 10'000 + took;
    for (const auto& made :
         {Made{"user_annotation", "ProfilerStep#" + std::to_string(i), begin, length},
          Made{"user_annotation", loader, begin, took}, Made{"cpu_op", "aten::as_strided", begin, took},
          Made{"cpu_op", "aten::mm", begin + took, 10'000}})
      text += (text.empty() ? "" : ",\n") + json(made);
    begin += length;
  }
  auto trace = parse_trace("[" + text + "]", "steps.json");
  trace.program.known = held_back > 0;
  trace.program.held_back = held_back;
  return diagnose(trace);
}

TEST_CASE("no step decides a verdict that rests on more than the steps", "[trace][thread]") {
  const auto spoiled = transforming_steps({0, 0, 2000, 0, 0}, 0.3);
  CHECK(spoiled.verdict.regime == Regime::unknown);
  CHECK(diagnosis_text(spoiled, {}, {}).find("One step decides this") == std::string::npos);
}

TEST_CASE("a single long operator of one step is no transform of each step", "[trace][thread]") {
  CHECK(found(transforming_steps({0, 500, 4000, 500, 0}), "loader_transform")->saves_us < 1600);
  CHECK(found(transforming_steps({0, 1500, 2000, 1500, 0}), "loader_transform")->saves_us > 4900);
}

TEST_CASE("what moves most decides what would move less", "[trace][thread]") {
  const auto advice = [](const char* name) {
    return found(told([&](ThreadStory& story) { story.op(name, 60'000); }), "memory_operators")->message;
  };
  CHECK(advice("aten::_log_softmax_backward_data").find("take the loss of the logits") != std::string::npos);
  CHECK(advice("aten::copy_").find("which type or layout each copy makes") != std::string::npos);
  CHECK(advice("aten::fill_").find("instead of filling it first") != std::string::npos);
  CHECK(advice("aten::mul").find("fused forms") != std::string::npos);
}

TEST_CASE("a loader that gathers rows is shown how workers do, and another one is not", "[trace][thread]") {
  constexpr std::string_view gathering = "sage/gather_in_workers";
  const auto loading = [](const char* first, const char* second) {
    return *found(told([=](ThreadStory& story) {
                    story.range(loader, [&] {
                      story.op(first, 11'000);
                      story.op(second, 10'000);
                    });
                  }),
                  "loader_transform");
  };
  CHECK(loading("aten::index_select", "aten::mul").steps.front() == gathering);
  const auto scaled = loading("aten::mul", "aten::index_select");
  CHECK(scaled.steps.front() == "dataload/workers_slow_source");
  CHECK(std::ranges::count(scaled.steps, gathering) == 0);
}

TEST_CASE("a finding distinguishes a loader with workers from one without", "[trace][thread]") {
  const auto diagnosis = told([](ThreadStory& story) {
    story.range("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
                [&] { story.python(20'000); });
  });
  CHECK(found(diagnosis, "data_loader_wait")->message.find("workers do not keep up") != std::string::npos);
  CHECK(found(reading(20'000), "data_loader_wait")->message.find("worker processes") != std::string::npos);
}

TEST_CASE("small operators are reported from a tenth on and high from three tenths on", "[trace][thread]") {
  CHECK(found(calling(1990), "small_operators") == nullptr);
  CHECK(found(calling(2010), "small_operators")->severity == Severity::medium);
  CHECK(found(calling(5990), "small_operators")->severity == Severity::medium);
  CHECK(found(calling(6010), "small_operators")->severity == Severity::high);
}

TEST_CASE("a batch is too small where half of the products are, and calls take three tenths",
          "[trace][thread]") {
  const auto products = [](int small, int large, double python_us) {
    return told([=](ThreadStory& story) {
      for (int i = 0; i < small; ++i) story.op("aten::mm", 5);
      for (int i = 0; i < large; ++i) story.op("aten::mm", 50);
      for (int i = 0; i < 100; ++i) {
        story.python(python_us / 100);
        story.op("aten::relu", 20);
      }
    });
  };
  CHECK(found(products(50, 49, 31'000), "small_batch") != nullptr);  // with the last product 100
  CHECK(found(products(49, 50, 31'000), "small_batch") == nullptr);
  CHECK(found(products(50, 49, 29'000), "small_batch") == nullptr);
}

TEST_CASE("an optimizer is heavy from a quarter on and high from a half on", "[trace][thread]") {
  CHECK(found(optimizing(24'900), "optimizer_share") == nullptr);
  CHECK(found(optimizing(25'100), "optimizer_share")->severity == Severity::medium);
  CHECK(found(optimizing(49'900), "optimizer_share")->severity == Severity::medium);
  CHECK(found(optimizing(50'100), "optimizer_share")->severity == Severity::high);
}

TEST_CASE("an optimizer whose closure holds the backward pass is not the training's whole time",
          "[trace][thread]") {
  const auto closure = [](bool backward) {
    return told([&](ThreadStory& story) {
      story.range("Optimizer.step#LBFGS.step", [&] {
        story.op("aten::mm", 30'000);
        story.within("cpu_op", backward ? "autograd::engine::evaluate_function: MmBackward0" : "aten::dot",
                     [&] { story.op("aten::mm", 40'000); });
      });
    });
  };
  CHECK(found(closure(false), "optimizer_share") != nullptr);
  CHECK(found(closure(true), "optimizer_share") == nullptr);
}

TEST_CASE("gradients that are filled with zeros are reported from 2 % on", "[trace][thread]") {
  const auto filling = [](double us) {
    return told([us](ThreadStory& story) {
      story.range("Optimizer.zero_grad#SGD.zero_grad", [&] { story.op("aten::_foreach_zero_", us); });
    });
  };
  CHECK(found(filling(2010), "zero_grad_fills") != nullptr);
  CHECK(found(filling(1990), "zero_grad_fills") == nullptr);
}

TEST_CASE("operators that move are remarked from a quarter on, products above a half", "[trace][thread]") {
  const auto moving = [](double us) { return told([us](ThreadStory& story) { story.op("aten::add", us); }); };
  CHECK(found(moving(25'100), "memory_operators") != nullptr);
  CHECK(found(moving(24'900), "memory_operators") == nullptr);
  CHECK(found(moving(49'900), "fp32_on_cpu") != nullptr);
  CHECK(found(moving(50'100), "fp32_on_cpu") == nullptr);
}

TEST_CASE("products in BF16 need no hint", "[trace][thread]") {
  const auto typed = [](const char* type) {
    return told([=](ThreadStory& story) {
      const std::string each = std::string("\"") + type + "\"";
      story.op("aten::mm", 99'999,
               R"("Input Dims": [[8, 8], [8, 8]], "Input type": [)" + each + ", " + each + "]");
    });
  };
  CHECK(found(typed("float"), "fp32_on_cpu")->message.find("in FP32") != std::string::npos);
  CHECK(found(typed("c10::BFloat16"), "fp32_on_cpu") == nullptr);
}

TEST_CASE("a gap behind four detached tensors is a checkpoint, behind three it is not", "[trace][thread]") {
  const auto saving = [](int detached) {
    return told([=](ThreadStory& story) {
      story.op("aten::mm", 1000);
      for (int i = 0; i < detached; ++i) story.op("aten::detach", 2);
      story.python(20'000);
    });
  };
  CHECK(found(saving(4), "checkpoint_in_step") != nullptr);
  CHECK(found(saving(4), "outside_pytorch") == nullptr);
  CHECK(found(saving(3), "checkpoint_in_step") == nullptr);
  CHECK(found(saving(3), "outside_pytorch") != nullptr);
}

TEST_CASE("values read back count once a step or more, but not those of loader, optimizer and engine",
          "[trace][thread]") {
  const auto item = [](ThreadStory& story) { story.op("aten::item", 5); };
  CHECK(found(told(item), "item_reads")->severity == Severity::low);
  for (const auto* range :
       {loader, "Optimizer.step#Adam.step", "autograd::engine::evaluate_function: AddmmBackward0"})
    CHECK(found(told([&](ThreadStory& story) {
                  const auto* kind =
                      std::string_view(range).starts_with("autograd") ? "cpu_op" : "user_annotation";
                  story.within(kind, range, [&] { item(story); });
                }),
                "item_reads") == nullptr);
}

TEST_CASE("a read that costs next to nothing stands behind operators that take half of the step",
          "[trace][thread]") {
  const auto diagnosis = told([](ThreadStory& story) {
    story.op("aten::item", 5);
    story.op("aten::index_select", 50'000);
    story.op("aten::mm", 50'000);
  });
  const auto place = [&](std::string_view id) {
    return std::ranges::find(diagnosis.findings, id, &Finding::id) - diagnosis.findings.begin();
  };
  REQUIRE(found(diagnosis, "memory_operators") != nullptr);
  CHECK(place("memory_operators") < place("item_reads"));
}

TEST_CASE("a printed tensor is known by what PyTorch asks of it, and its values are its own",
          "[trace][thread]") {
  const auto printing = [](bool all) {
    return told([all](ThreadStory& story) {
      story.op("aten::isfinite", 50);
      story.op("aten::ne", 20);
      story.op("aten::__and__", 20);
      if (all) story.op("aten::masked_select", 50);
      for (int i = 0; i < 20; ++i) story.op("aten::item", 5);
    });
  };
  CHECK(found(printing(true), "tensor_printing") != nullptr);
  CHECK(found(printing(true), "item_reads") == nullptr);
  CHECK(found(printing(false), "tensor_printing") == nullptr);
  CHECK(found(printing(false), "item_reads") != nullptr);
}

/// A training whose nodes 1 and 2 are run backwards, and a validation whose nodes 3 and 4 are not.
Diagnosis validating(double us, bool recording) {
  return told([=](ThreadStory& story) {
    story.forward("aten::linear", 1000, 1);
    story.forward("aten::relu", 1000, 2);
    for (const int number : {2, 1})
      story.within(
          "cpu_op", "autograd::engine::evaluate_function: AddmmBackward0", [&] { story.op("aten::mm", 500); },
          R"("Sequence number": )" + std::to_string(number));
    story.forward("aten::linear", us / 2, 3);
    story.forward("aten::relu", us / 2, recording ? 4 : 3);
    story.forward("aten::argmax", 20, recording ? 5 : 3);
  });
}

TEST_CASE("a graph that no backward pass uses is reported from 2 % of the time on", "[trace][thread]") {
  CHECK(found(validating(2010, true), "unused_graph") != nullptr);
  CHECK(found(validating(1990, true), "unused_graph") == nullptr);
  CHECK(found(validating(20'000, true), "unused_graph")->severity == Severity::medium);
  CHECK(found(validating(20'000, false), "unused_graph") == nullptr);
}

TEST_CASE("searches for NaN are anomaly detection only within autograd's engine", "[trace][thread]") {
  const auto searching = [](const char* around) {
    return told(
        [=](ThreadStory& story) { story.within("cpu_op", around, [&] { story.op("aten::isnan", 20); }); });
  };
  CHECK(found(searching("autograd::engine::evaluate_function: MulBackward0"), "anomaly_checks")->severity ==
        Severity::medium);
  CHECK(found(searching("aten::nan_to_num"), "anomaly_checks") == nullptr);
}

TEST_CASE("a tensor filled from a list is reported from 2 % of the time on", "[trace][thread]") {
  const auto filling = [](double us, const char* last) {
    return told([=](ThreadStory& story) {
      story.op("aten::empty", 5);
      story.python(us);
      story.op("aten::to", 2);
      story.op(last, 2);
    });
  };
  CHECK(found(filling(2010, "aten::lift_fresh"), "tensor_from_list") != nullptr);
  CHECK(found(filling(2010, "aten::lift_fresh"), "outside_pytorch") == nullptr);
  CHECK(found(filling(1990, "aten::lift_fresh"), "tensor_from_list") == nullptr);
  CHECK(found(filling(2010, "aten::add"), "tensor_from_list") == nullptr);
}

TEST_CASE("reading a list is its tensor's making too, if it takes up to twice as long", "[trace][thread]") {
  const auto making = [](double reading_us) {
    return told([=](ThreadStory& story) {
      story.op("aten::relu", 20);
      story.python(reading_us);
      story.op("aten::empty", 5);
      story.python(2500);
      story.op("aten::to", 2);
      story.op("aten::lift_fresh", 2);
    });
  };
  const auto one_call = making(4900);
  CHECK(found(one_call, "outside_pytorch") == nullptr);
  CHECK(std::abs(found(one_call, "tensor_from_list")->saves_us - 7400) < 1);
  const auto more_before = making(5100);
  CHECK(found(more_before, "outside_pytorch") != nullptr);
  CHECK(std::abs(found(more_before, "tensor_from_list")->saves_us - 2500) < 1);
}

TEST_CASE("a finding is looked for in traces of a device, of a thread, or of either", "[trace][thread]") {
  CHECK(finding_kind("data_loader_wait")->in(true));
  CHECK(finding_kind("data_loader_wait")->in(false));
  CHECK_FALSE(finding_kind("item_sync")->in(true));
  CHECK_FALSE(finding_kind("small_batch")->in(false));
}

TEST_CASE("where Python alone runs between long operators no short ones are counted", "[trace][findings]") {
  const auto python = told([](ThreadStory& story) {
    for (int i = 0; i < 50; ++i) {
      story.op("aten::mm", 1000);
      story.python(900);
    }
  });
  REQUIRE(found(python, "small_operators") != nullptr);
  CHECK(found(python, "small_operators")->message.starts_with("the Python between operators takes"));
}

TEST_CASE("channels_last is advice for convolutions of images alone", "[trace][thread]") {
  const auto told = [](const char* with) {
    ThreadStory story;
    story.op("aten::native_batch_norm", 40'000);
    story.op(with, 10'000);
    return diagnosis_text(story.diagnosis(), {}, {});
  };
  for (const auto* images : {"aten::conv2d", "aten::conv_transpose3d", "aten::convolution"})
    CHECK(told(images).find("channels_last") != std::string::npos);
  for (const auto* others : {"aten::mm", "aten::conv1d", "aten::conv_transpose1d"}) {
    CHECK(told(others).find("memory_operators") != std::string::npos);
    CHECK(told(others).find("channels_last") == std::string::npos);
  }
  const auto converting = tests::one_step([](tests::Story& story) {
    story.within("aten::copy_", "", [&] { story.kernels("direct_copy_kernel_cuda", 1, 30'000); });
  });
  REQUIRE(found(converting, "copy_ops") != nullptr);
  CHECK(std::ranges::count(found(converting, "copy_ops")->steps, "transfer/dtype_convert_side") == 1);
}

}  // namespace
