// Times that cannot be true: left out, or no verdict.
#include "harness/trace/impossible.hpp"

#include "tests/harness/trace/one_step.hpp"

#include "harness/trace/diagnosis_text.hpp"

#include <catch2/catch_test_macros.hpp>

#include <regex>
#include <string>

namespace {

using namespace harness;
using namespace harness::trace;
using tests::found;

constexpr double long_ago_us = 1.7e15;

/// Six steps of a millisecond with two kernels each, moved by `kernels_us` against the host; and one more
/// event.
Diagnosis stepping(double kernels_us, const tests::Made& more) {
  std::string events = tests::json(more);
  for (int step = 0; step < 6; ++step) {
    const double begin = long_ago_us + 1000 * step;
    events += ",\n" + tests::json(tests::range("ProfilerStep#" + std::to_string(step), begin, 990));
    for (int i = 0; i < 2; ++i) {
      const int number = 2 * step + i + 1;
      events += ",\n" + tests::json(tests::call("cudaLaunchKernel", begin + 20 + 40 * i, 5, number)) + ",\n" +
                tests::json(
                    tests::on_stream("kernel", tests::gemm, begin + 40 + 440 * i + kernels_us, 430, number));
    }
  }
  return diagnose(parse_trace("[" + events + "]", "impossible.json"));
}

/// The whole report with one blank between words, wherever its lines end.
std::string words_of(const Diagnosis& diagnosis) {
  return std::regex_replace(diagnosis_text(diagnosis, {}, {}), std::regex("\\s+"), " ");
}

const tests::Made nothing = tests::op("aten::mm", long_ago_us, 1);

TEST_CASE("what is possible has a verdict and no remark", "[trace][impossible]") {
  const auto sound = stepping(0, nothing);
  CHECK(sound.verdict.regime == Regime::compute);
  CHECK(found(sound, "impossible_times") == nullptr);
}

TEST_CASE("an event of the device at time 0 is left out with a remark", "[trace][impossible]") {
  const auto with = stepping(0, tests::on_stream("kernel", tests::gemm, 0, 0, 99));
  CHECK(with.verdict.regime == Regime::compute);
  REQUIRE(with.device.size() == 1);
  CHECK(with.device[0].span_us < 10'000);
  REQUIRE(found(with, "impossible_times") != nullptr);
  CHECK(found(with, "impossible_times")->message.starts_with("1 event of the device at time 0 is left out"));
}

TEST_CASE("a kernel that ends behind its successors makes the durations doubtful", "[trace][impossible]") {
  const auto overrun =
      stepping(0, tests::on_stream("kernel", tests::pointwise, long_ago_us + 41, 60'000, 99));
  CHECK(overrun.verdict.regime == Regime::unknown);
  CHECK(overrun.verdict.evidence.find("kernels of one stream overlap") != std::string::npos);
  REQUIRE(overrun.findings.size() == 1);
  CHECK(overrun.findings[0].id == "impossible_times");
}

TEST_CASE("a kernel may begin before the one before it ends, but not end before it", "[trace][impossible]") {
  const auto overlap = [](double second_us) {
    const auto trace = tests::trace_of({tests::kernel(0, 100, 1), tests::kernel(50, second_us, 2)});
    return impossible(trace).overlapping;
  };
  CHECK(overlap(60) == 0);  // programmatic launch
  CHECK(overlap(46) == 0);  // within what stamps are rounded to
  CHECK(overlap(44) == 1);
}

TEST_CASE("branches of one graph may overlap", "[trace][impossible]") {
  const auto trace = tests::trace_of(
      {tests::call("cudaGraphLaunch", 0, 5, 1), tests::kernel(10, 100, 1), tests::kernel(20, 10, 1)});
  CHECK(impossible(trace).overlapping == 0);
}

TEST_CASE("kernels before their launches mean that the clocks differ", "[trace][impossible]") {
  const auto early = stepping(-5000, nothing);
  CHECK(early.verdict.regime == Regime::unknown);
  CHECK(early.verdict.evidence.find("the clocks of host and device differ") != std::string::npos);
  CHECK(found(early, "launch_blocking") == nullptr);
  const auto slightly = stepping(-30, nothing);  // 3 % of a step: the verdict stands
  CHECK(slightly.verdict.regime == Regime::compute);
  CHECK(found(slightly, "impossible_times") != nullptr);
}

TEST_CASE("where most kernels begin before their launch, nobody says why the device idles",
          "[trace][impossible]") {
  const auto running = [](double shift_us, double busy_us) {
    std::string events = tests::json(tests::range("ProfilerStep#1", long_ago_us, 10'000));
    for (int i = 0; i < 20; ++i) {
      const double begin = long_ago_us + 500 * i;
      events += ",\n" + tests::json(tests::op("aten::mm", begin, 20)) + ",\n" +
                tests::json(tests::call("cudaLaunchKernel", begin + 10, 5, i + 1)) + ",\n" +
                tests::json(tests::on_stream("kernel", tests::gemm, begin + 20 - shift_us, busy_us, i + 1));
    }
    return diagnose(parse_trace("[" + events + "]", "clocks.json"));
  };
  CHECK(found(running(0, 200), "launch_gaps") != nullptr);
  const auto early = running(60, 200);
  CHECK(early.verdict.regime == Regime::unknown);
  CHECK(early.verdict.evidence.find("the clocks of host and device differ") != std::string::npos);
  CHECK(found(early, "launch_gaps") == nullptr);
  CHECK(found(early, "low_utilization") == nullptr);
  CHECK(early.shares[Use::wait_other] > 0);
  CHECK(running(60, 400).verdict.regime == Regime::compute);  // how long it worked is known
}

TEST_CASE("a copy that is faster than the link is left out", "[trace][impossible]") {
  const auto copying = [](double bytes, const char* device) {
    tests::Story story;
    story.copy("HtoD (Pinned -> Device)", bytes, 100);
    const auto trace = story.trace(device);
    return impossible(trace).too_fast;
  };
  CHECK(copying(12.7e6, "NVIDIA H100 80GB HBM3") == 0);  // 127 GB/s
  CHECK(copying(12.9e6, "NVIDIA H100 80GB HBM3") == 1);
  CHECK(copying(40e6, "NVIDIA GH200 480GB") == 0);
  CHECK(copying(150e6, "NVIDIA GH200 480GB") == 1);
}

/// Two products of a step, of which the second begins `early_us` before the first ends.
Diagnosis crossing(double early_us, const std::string& name = "aten::mm") {
  std::string events;
  for (int step = 0; step < 6; ++step) {
    const double begin = 10'000 * step;
    events += (step > 0 ? ",\n" : "") +
              tests::json(tests::range("ProfilerStep#" + std::to_string(step), begin, 9'900)) + ",\n" +
              tests::json(tests::op(name, begin + 100, 5000)) + ",\n" +
              tests::json(tests::op(name, begin + 5100 - early_us, 4000));
  }
  return diagnose(parse_trace("[" + events + "]", "crossing.json"));
}

TEST_CASE("operators of one thread that overlap without nesting are said, and many have no verdict",
          "[trace][impossible]") {
  CHECK(found(crossing(0), "impossible_times") == nullptr);
  CHECK(found(crossing(4), "impossible_times") == nullptr);  // as far as stamps are rounded
  const auto few = crossing(500);
  REQUIRE(found(few, "impossible_times") != nullptr);
  CHECK(found(few, "impossible_times")->message.starts_with("6 operators begin within another one"));
  CHECK(few.verdict.regime == Regime::compute);
  const auto many = crossing(2000);
  CHECK(many.verdict.regime == Regime::unknown);
  CHECK(many.verdict.evidence.starts_with("operators of one thread overlap by 12.0 ms"));
  REQUIRE(many.findings.size() == 1);
  for (const auto* name : {"mkldnn::_linear_pointwise", "mine::search", "torchvision::nms",
                           "autograd::engine::evaluate_function: MmBackward0"}) {
    INFO(name);
    CHECK(crossing(2000, name).verdict.regime == Regime::unknown);
    CHECK(found(crossing(2000, name), "impossible_times") != nullptr);
  }
  for (const auto* name : {"c10d::allreduce_", "forward"})  // may end in a callback
    CHECK(found(crossing(2000, name), "impossible_times") == nullptr);
}

/// A trace of 200 products of a step, a tenth of a millisecond each, and one more event.
Diagnosis beside(const std::string& stray) {
  std::string events = tests::json(tests::range("ProfilerStep#1", long_ago_us, 20'000)) + ",\n" + stray;
  for (int i = 0; i < 200; ++i)
    events += ",\n" + tests::json(tests::op("aten::mm", long_ago_us + 100 * i, 90)) + ",\n" +
              tests::json(tests::call("cudaLaunchKernel", long_ago_us + 100 * i + 10, 5, i + 1)) + ",\n" +
              tests::json(tests::on_stream("kernel", tests::gemm, long_ago_us + 100 * i + 20, 95, i + 1));
  return diagnose(parse_trace("[" + events + "]", "stray.json"));
}

TEST_CASE("an event far from all others is left out with a remark", "[trace][impossible]") {
  constexpr double minute = 60e6;
  for (const double away : {-1.6e15, -minute, minute, 30 * 24 * 60 * minute})
    for (const auto& stray :
         {tests::op("aten::mm", long_ago_us + away, 50), tests::range("forward", long_ago_us + away, 50),
          tests::on_stream("kernel", tests::gemm, long_ago_us + away, 50, 999),
          tests::Made{"python_function", "train.py(3): f", long_ago_us + away, 50}}) {
      INFO(stray.category << " " << away);
      const auto diagnosis = beside(tests::json(stray));
      CHECK(diagnosis.verdict.regime == Regime::compute);
      REQUIRE(diagnosis.device.size() == 1);
      CHECK(diagnosis.device[0].span_us < 30'000);
      REQUIRE(found(diagnosis, "impossible_times") != nullptr);
      CHECK(found(diagnosis, "impossible_times")->message.starts_with("1 event that lies or lasts up to "));
    }
  const auto lasting = beside(tests::json(tests::op("aten::mm", long_ago_us + 50, 1e13)));
  CHECK(lasting.verdict.regime == Regime::compute);
  CHECK(found(lasting, "impossible_times") != nullptr);
}

TEST_CASE("an event that a pause or its own length takes far from others stays", "[trace][impossible]") {
  const auto stays = [](double away_us, int count) {
    std::string events;
    for (int i = 0; i < count; ++i)
      events +=
          (i > 0 ? ",\n" : "") + tests::json(tests::op("aten::mm", long_ago_us + away_us + 100 * i, 90));
    return found(beside(events), "impossible_times") == nullptr;
  };
  CHECK(stays(9e6, 1));
  CHECK_FALSE(stays(11e6, 1));
  CHECK(stays(11e6, 20));  // another part of the program
  CHECK(found(beside(tests::json(tests::call("cudaDeviceSynchronize", long_ago_us, 1e9, 999))),
              "impossible_times") == nullptr);
}

TEST_CASE("work of a device that the trace lists twice is counted once, and said", "[trace][impossible]") {
  tests::Story story;
  for (int i = 0; i < 4; ++i)
    story.step([&] {
      story.kernels(tests::gemm, 10, 400);
      story.host = story.device;
    });
  auto text = story.text();
  const auto once = diagnose(parse_trace(text, "once.json"));
  std::string again;
  for (auto at = text.find(R"({"ph": "X", "cat": "kernel")"); at != text.npos;
       at = text.find(R"({"ph": "X", "cat": "kernel")", at + 1))
    again += ",\n" + text.substr(at, text.find("}}", at) + 2 - at);
  text.insert(text.rfind(']'), again);
  const auto twice = diagnose(parse_trace(text, "twice.json"));
  CHECK(twice.kernels.count == once.kernels.count);
  CHECK(twice.kernels.us == once.kernels.us);
  REQUIRE(found(twice, "impossible_times") != nullptr);
  CHECK(found(twice, "impossible_times")
            ->message.starts_with("kernels and copies that the trace lists twice are counted once (40)"));
}

TEST_CASE("a copy that is left out is no operator's time", "[trace][impossible]") {
  tests::Story story;
  for (int i = 0; i < 4; ++i)
    story.step([&] {
      story.within("aten::copy_", "", [&] { story.copy("HtoD (Pinned -> Device)", 4e9, 10'000); });
      story.kernels(tests::gemm, 1, 5'000);
      story.host = story.device;
    });
  const auto diagnosis = diagnose(story.trace());
  REQUIRE(found(diagnosis, "impossible_times") != nullptr);
  CHECK(found(diagnosis, "copy_ops") == nullptr);
  for (const auto& row : diagnosis.ops.rows)
    if (row.name == "aten::copy_") CHECK(row.self_device_us == 0);
}

TEST_CASE("what cannot be judged has neither bars nor shares of steps nor a rule for its utilization",
          "[trace][impossible]") {
  const auto text =
      words_of(stepping(0, tests::on_stream("kernel", tests::pointwise, long_ago_us + 41, 60'000, 99)));
  CHECK(text.find("VERDICT: cannot say") != text.npos);
  CHECK(text.find("The device's time (") == text.npos);
  CHECK(text.find("common sign") == text.npos);
  CHECK(text.find("common rule") == text.npos);
  CHECK(text.find("cannot say - - - -") != text.npos);
  const auto sound = words_of(stepping(0, nothing));
  CHECK(sound.find("The device's time (") != sound.npos);
  CHECK(sound.find("common rule") != sound.npos);
}

TEST_CASE("where the clocks differ nothing is said of when launched work begins", "[trace][impossible]") {
  const auto text = words_of(stepping(-800, nothing));
  CHECK(text.find("how much later the work begins cannot be said") != text.npos);
  CHECK(text.find("launched and not begun") == text.npos);
}

TEST_CASE("where a part of the kernels begins early nothing is said of when launched work begins",
          "[trace][impossible]") {
  const auto text_of = [](int early) {
    std::string events = tests::json(tests::range("ProfilerStep#1", long_ago_us, 10'000));
    for (int i = 0; i < 20; ++i) {
      const double begin = long_ago_us + 500 * i;
      events +=
          ",\n" + tests::json(tests::call("cudaLaunchKernel", begin + 100, 5, i + 1)) + ",\n" +
          tests::json(tests::on_stream("kernel", tests::gemm, begin + (i < early ? 60 : 120), 400, i + 1));
    }
    return words_of(diagnose(parse_trace("[" + events + "]", "early.json")));
  };
  for (const int early : {3, 10}) {
    CHECK(text_of(early).find("how much later the work begins cannot be said") != std::string::npos);
    CHECK(text_of(early).find("launched and not begun") == std::string::npos);
  }
  CHECK(text_of(2).find("the work begins 15.0 us later") != std::string::npos);
}

}  // namespace
