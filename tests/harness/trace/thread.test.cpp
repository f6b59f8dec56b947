// A training thread's time where no device worked: uses, verdicts, and each threshold of its findings from
// both sides.
#include "tests/harness/trace/made_up.hpp"

#include "harness/trace/diagnosis.hpp"
#include "harness/trace/host_use.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace harness;
using namespace harness::trace;

/// One thread of one step, told by what it does one after the other; times in microseconds.
class ThreadStory {
 public:
  double now = 0;

  void python(double us) { now += us; }
  void op(const std::string& name, double us, const std::string& args = "") {
    events_.push_back({"cpu_op", name, now, us, args});
    now += us;
  }
  /// A forward operator with the number of the next node.
  void forward(const std::string& name, double us, int number) {
    op(name, us, R"("Sequence number": )" + std::to_string(number));
  }
  void within(const std::string& category, const std::string& name, const std::function<void()>& body,
              const std::string& args = "") {
    const auto at = static_cast<std::ptrdiff_t>(events_.size());
    const double begin = now;
    body();
    events_.insert(events_.begin() + at, {category, name, begin, now - begin, args});
  }
  void range(const std::string& name, const std::function<void()>& body) {
    within("user_annotation", name, body);
  }
  void other_thread(const std::string& category, const std::string& name, double ts, double us) {
    events_.push_back({category, name, ts, us, {}, 2});
  }

  /// A step of a hundred milliseconds: what is left of it is one product.
  Diagnosis diagnosis() {
    if (now < length_us) op("aten::mm", length_us - now);
    std::string text = tests::json({"user_annotation", "ProfilerStep#1", 0, now});
    for (const auto& made : events_) text += ",\n" + tests::json(made);
    return diagnose(parse_trace("[" + text + "]", "thread.json"));
  }

 private:
  static constexpr double length_us = 100'000;
  std::vector<tests::Made> events_;
};

Diagnosis told(const std::function<void(ThreadStory&)>& body) {
  ThreadStory story;
  body(story);
  return story.diagnosis();
}

const Finding* found(const Diagnosis& diagnosis, std::string_view id) {
  const auto at = std::ranges::find(diagnosis.findings, id, &Finding::id);
  return at == diagnosis.findings.end() ? nullptr : &*at;
}

constexpr auto loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";

Diagnosis reading(double us) {
  return told([us](ThreadStory& story) { story.range(loader, [&] { story.python(us); }); });
}
Diagnosis transforming(double us) {
  return told([us](ThreadStory& story) { story.range(loader, [&] { story.op("aten::mul", us); }); });
}
Diagnosis gap(double us) {
  return told([us](ThreadStory& story) {
    story.op("aten::mm", 1000);
    story.python(us);
  });
}
/// So many operators of 4 us with 1 us of Python behind each.
Diagnosis calling(int count) {
  return told([count](ThreadStory& story) {
    for (int i = 0; i < count; ++i) {
      story.op("aten::add", 4);
      story.python(1);
    }
  });
}
Diagnosis optimizing(double us) {
  return told([us](ThreadStory& story) {
    story.range("Optimizer.step#SGD.step", [&] { story.op("aten::_foreach_add_", us); });
  });
}

TEST_CASE("an operator below 10 us is small, one of 10 us is not", "[trace][thread]") {
  const auto of = [](double us) {
    return told([us](ThreadStory& story) { story.op("aten::add", us); }).shares;
  };
  CHECK(of(9.9)[Use::small_operators] > 0);
  CHECK(of(10)[Use::small_operators] == 0);
  CHECK(of(10)[Use::memory] > 0);
}

TEST_CASE("an operator's own time counts, not that of the operators that it calls", "[trace][thread]") {
  const auto diagnosis = told([](ThreadStory& story) {
    story.within("cpu_op", "aten::linear", [&] {
      story.op("aten::t", 3);
      story.op("aten::addmm", 500);
    });
  });
  CHECK_THAT(diagnosis.shares[Use::small_operators], Catch::Matchers::WithinAbs(3, 0.01));
}

TEST_CASE("views and the frames of the backward pass are calls, however long they take", "[trace][thread]") {
  for (const auto* name : {"aten::view", "aten::t", "AddmmBackward0", "detach",
                           "autograd::engine::evaluate_function: AddmmBackward0"})
    CHECK(host_work(name) == HostWork::calling);
  CHECK(host_work("aten::mkldnn_convolution") == HostWork::product);
  CHECK(host_work("aten::_convert_indices_from_csr_to_coo") == HostWork::moving);
  CHECK(host_work("torchvision::nms") == HostWork::unknown);
  CHECK(host_work("c10d::allreduce_") == HostWork::communication);
}

TEST_CASE("a gap of a millisecond is outside of PyTorch, a shorter one is Python", "[trace][thread]") {
  CHECK(gap(990).shares[Use::outside] == 0);
  CHECK(gap(990).shares[Use::python] > 0);
  CHECK(gap(1000).shares[Use::outside] > 0);
}

TEST_CASE("a long gap belongs to the thread that works in half of it", "[trace][thread]") {
  const auto with_other = [](const char* category, const char* name, double us) {
    return told([&](ThreadStory& story) {
             story.op("aten::mm", 1000);
             story.other_thread(category, name, 1000, us);
             story.python(10'000);
           })
        .shares;
  };
  CHECK(with_other("user_annotation", "gloo:all_reduce", 5000)[Use::communication] > 0);
  CHECK(with_other("user_annotation", "gloo:all_reduce", 4900)[Use::outside] > 0);
  CHECK(with_other("cpu_op", "aten::mm", 5000)[Use::wait_other] > 0);
}

TEST_CASE("a gap in which another thread communicates names its collective, not the next operator",
          "[trace][thread]") {
  const auto diagnosis = told([](ThreadStory& story) {
    story.op("aten::mm", 1000);
    story.other_thread("user_annotation", "gloo:broadcast", 500, 400);
    story.other_thread("user_annotation", "gloo:all_reduce", 1000, 6000);
    story.python(10'000);
    story.op("aten::add", 1000);
    story.other_thread("user_annotation", "gloo:barrier", 50'000, 100);
  });
  const auto* finding = found(diagnosis, "exposed_communication");
  REQUIRE(finding != nullptr);
  CHECK(finding->message.find("most by gloo:all_reduce") != std::string::npos);
}

TEST_CASE("a planted regime of a thread gets the right verdict", "[trace][thread]") {
  CHECK(reading(60'000).verdict.regime == Regime::input);
  CHECK(transforming(60'000).verdict.regime == Regime::input);
  CHECK(gap(60'000).verdict.regime == Regime::overhead);
  CHECK(calling(12'000).verdict.regime == Regime::overhead);
  CHECK(optimizing(60'000).verdict.regime == Regime::memory);
  CHECK(reading(1000).verdict.regime == Regime::compute);
  CHECK(reading(60'000).host_judged);
}

TEST_CASE("a thread that spends 30 % on input and no half on anything is bound by it", "[trace][thread]") {
  const auto mixed = [](double input_us) {
    return told([=](ThreadStory& story) {
             story.range(loader, [&] { story.python(input_us); });
             story.op("aten::add", 30'000);
           })
        .verdict.regime;
  };
  CHECK(mixed(30'100) == Regime::input);
  CHECK(mixed(29'900) == Regime::compute);
}

TEST_CASE("a trace that speaks of a GPU, or whose thread ran no operator, cannot be judged",
          "[trace][thread]") {
  const auto cudnn = told([](ThreadStory& story) { story.op("aten::cudnn_convolution", 1000); });
  CHECK(cudnn.verdict.regime == Regime::unknown);
  CHECK_FALSE(cudnn.judged());
  const auto silent =
      diagnose(tests::trace_of({tests::range("ProfilerStep#1", 0, 1000), tests::op("aten::mm", 1100, 5)}));
  CHECK(silent.verdict.regime == Regime::unknown);
  CHECK_FALSE(silent.judged());
  CHECK(silent.findings.empty());
}

TEST_CASE("a loader's wait, its transforms and gaps are reported from 2 % of the time on",
          "[trace][thread]") {
  CHECK(found(reading(2010), "data_loader_wait") != nullptr);
  CHECK(found(reading(1990), "data_loader_wait") == nullptr);
  CHECK(found(transforming(2010), "loader_transform") != nullptr);
  CHECK(found(transforming(1990), "loader_transform") == nullptr);
  CHECK(found(gap(2010), "outside_pytorch") != nullptr);
  CHECK(found(gap(1990), "outside_pytorch") == nullptr);
}

TEST_CASE("a loader with workers is told apart from one without", "[trace][thread]") {
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
  CHECK(found(validating(20'000, true), "unused_graph")->severity == Severity::high);
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

TEST_CASE("a finding is looked for in traces of a device, of a thread, or of either", "[trace][thread]") {
  CHECK(finding_kind("data_loader_wait")->in(true));
  CHECK(finding_kind("data_loader_wait")->in(false));
  CHECK_FALSE(finding_kind("item_sync")->in(true));
  CHECK_FALSE(finding_kind("small_batch")->in(false));
}

}  // namespace
