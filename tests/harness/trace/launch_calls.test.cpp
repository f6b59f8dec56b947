// Launches whose kernels the trace does not have: captured into a graph, or lost.
#include "harness/trace/launch_calls.hpp"

#include "tests/harness/trace/one_step.hpp"

#include "harness/trace/diagnosis_text.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace {

using namespace harness;
using namespace harness::trace;
using tests::found;

/// Ten launches in a step of ten milliseconds, of which the last `missing` have no kernel.
Diagnosis launching(int missing, bool capture) {
  std::string events = tests::json(tests::range("ProfilerStep#1", 0, 10'000));
  const auto add = [&](const tests::Made& made) { events += ",\n" + tests::json(made); };
  if (capture) add(tests::call("cudaStreamBeginCapture", 50, 2, 1000));
  for (int i = 1; i <= 10; ++i) {
    add(tests::call("cudaLaunchKernel", 100 * i, 5, i));
    if (i <= 10 - missing) add(tests::on_stream("kernel", tests::gemm, 100 * i + 10, 80, i));
  }
  if (capture) add(tests::call("cudaStreamEndCapture", 1200, 2, 1001));
  return diagnose(parse_trace("[" + events + "]", "launching.json"));
}

TEST_CASE("where more than a tenth of the launches have no kernel there is no verdict", "[trace][regime]") {
  CHECK(launching(1, false).verdict.regime != Regime::unknown);
  const auto lost = launching(2, false);
  CHECK(lost.verdict.regime == Regime::unknown);
  CHECK(lost.verdict.evidence.starts_with(
      "2 of 10 launches have no kernel in the trace: the profiler lost them"));
  CHECK(found(lost, "launch_gaps") == nullptr);
  CHECK(found(launching(1, false), "launch_gaps") != nullptr);
}

bool remarks_on_lost(const Diagnosis& diagnosis, const std::string& count) {
  return std::ranges::any_of(diagnosis.remarks, [&](const std::string& remark) {
    return remark.starts_with(count +
                              " launches have no kernel in the trace (lost by the profiler, or left out)");
  });
}

TEST_CASE("kernels that the profiler lost are counted where there is a verdict all the same",
          "[trace][regime]") {
  const auto one = launching(1, false);
  CHECK(remarks_on_lost(one, "1 of 10"));
  CHECK(title_text(one, {}).find("Remark: 1 of 10 launches") != std::string::npos);
  CHECK(diagnosis_json({&one, 1})["traces"][0]["remarks"].size() == 1);
  CHECK(launching(0, false).remarks.empty());
  CHECK(launching(2, false).remarks.empty());  // the verdict says it
  CHECK(launching(1, true).remarks.empty());   // that one was captured
}

TEST_CASE("kernels lost outside of the judged steps, and of other runtimes, are counted too",
          "[trace][regime]") {
  const auto steps = [](const char* launch, int lost_in_first) {
    std::string events;
    for (int i = 0; i < 50; ++i) {
      const double at = 1000.0 * i;
      if (i % 10 == 0)
        events += tests::json(tests::range("ProfilerStep#" + std::to_string(i / 10), at, 9990)) + ",\n";
      if (i >= lost_in_first)
        events += tests::json(tests::on_stream("kernel", tests::gemm, at + 20, 900, i + 1)) + ",\n";
      events += tests::json(tests::call(launch, at + 10, 5, i + 1)) + (i < 49 ? ",\n" : "");
    }
    return diagnose(parse_trace("[" + events + "]", "steps.json"));
  };
  const auto before = steps("cudaLaunchKernel", 0);
  const auto lost = steps("hipModuleLaunchKernel", 3);
  CHECK(before.remarks.empty());
  CHECK(lost.judged_steps == 3);
  CHECK(lost.verdict.regime == before.verdict.regime);
  CHECK(remarks_on_lost(lost, "3 of 50"));
  const auto changes = compare(lost, before);
  CHECK(changes_text(changes, lost, before, {}, {}).find("Remark, after: 3 of 50") != std::string::npos);
  CHECK(changes_json(changes, lost, before)["remarks"]["before"].empty());
  CHECK(changes_json(changes, lost, before)["remarks"]["after"].size() == 1);
}

TEST_CASE("without steps lost kernels are counted as well", "[trace][regime]") {
  tests::Story story;
  story.kernels(tests::gemm, 19, 1000);
  story.call("cudaLaunchKernelExC", 5);
  CHECK(remarks_on_lost(diagnose(story.trace()), "1 of 20"));
}

TEST_CASE("launches between the begin and the end of a capture were captured", "[trace][regime]") {
  const auto captured = launching(9, true);
  CHECK(captured.verdict.regime == Regime::unknown);
  CHECK(captured.verdict.evidence.find("captured into a graph") != std::string::npos);
}

TEST_CASE("launches without any kernel are counted, and nobody is told to record CUDA", "[trace][regime]") {
  const auto none =
      diagnose(tests::trace_of({tests::op("aten::mm", 0, 20), tests::call("cudaLaunchKernel", 5, 5, 1)}));
  CHECK(none.verdict.evidence.starts_with("the trace has 1 launches, but no kernel of them"));
  CHECK(none.verdict.would_change.find("ProfilerActivity.CUDA") == std::string::npos);
  const auto unasked = diagnose(tests::trace_of({tests::op("aten::cudnn_convolution", 0, 20)}));
  CHECK(unasked.verdict.would_change.find("ProfilerActivity.CUDA") != std::string::npos);
}

TEST_CASE("every runtime's launches are known by name", "[trace][launches]") {
  for (const auto* name : {"cudaLaunchKernel", "cudaLaunchKernelExC", "cuLaunchKernelEx", "hipLaunchKernel",
                           "hipExtModuleLaunchKernel", "cudaLaunchCooperativeKernel"})
    CHECK(is_kernel_launch(name));
  for (const auto* name : {"cudaGraphLaunch", "hipGraphLaunch", "cudaMemcpyAsync", "cudaLaunchHostFunc"})
    CHECK_FALSE(is_kernel_launch(name));
  CHECK(is_graph_launch("hipGraphLaunch"));
}

TEST_CASE("without steps all that was requested counts, though the first kernel began behind its launch",
          "[trace][launches]") {
  const auto graph =
      diagnose(tests::trace_of({tests::call("cudaGraphLaunch", 0, 50, 1), tests::kernel(500, 100, 1),
                                tests::kernel(600, 100, 1), tests::kernel(700, 100, 1)}));
  CHECK(graph.kernels.count == 3);
  CHECK(graph.shares.window_us == 300);
  const auto queue = diagnose(tests::trace_of(
      {tests::op("aten::mm", 0, 20), tests::call("hipLaunchKernel", 5, 5, 1),
       tests::call("hipLaunchKernel", 30, 5, 2), tests::kernel(1000, 50, 1), tests::kernel(1050, 50, 2)}));
  CHECK(queue.kernels.count == 2);
  CHECK(queue.kernels.us == 100);
}

TEST_CASE("the only device of a trace has its name, whatever number its work carries", "[trace][devices]") {
  const auto named = [](const char* properties) {
    return diagnose(
               parse_trace(std::string(R"({"deviceProperties": [)") + properties + R"(], "traceEvents": [)" +
                               tests::json({"kernel", "relu", 0, 10, R"("device": 2, "stream": 0)"}) + "]}",
                           "amd.json"))
        .properties.name;
  };
  CHECK(named(R"({"id": 0, "name": "AMD Instinct MI300X"})") == "AMD Instinct MI300X");
  CHECK(named(R"({"id": 0, "name": "A"}, {"id": 1, "name": "B"})").empty());
  CHECK(named(R"({"id": 0, "name": "A"}, {"id": 2, "name": "B"})") == "B");
}

TEST_CASE("a run that uses graphs is not told to use them", "[trace][findings]") {
  const auto idling = [](const char* call) {
    std::string events = tests::json(tests::range("ProfilerStep#1", 0, 10'000)) + ",\n" +
                         tests::json(tests::op("aten::mm", 100, 10));
    for (int i = 1; i <= 10; ++i)
      events += ",\n" + tests::json(tests::call(call, 900 * i, 5, i)) + ",\n" +
                tests::json(tests::on_stream("kernel", tests::gemm, 900 * i + 10, 80, i));
    return diagnose(parse_trace("[" + events + "]", "graphs.json"));
  };
  const auto graphs = idling("cudaGraphLaunch");
  CHECK(graphs.verdict.regime == Regime::overhead);
  CHECK(graphs.verdict.would_change.find("graph") == std::string::npos);
  for (const auto& step : found(graphs, "launch_gaps")->steps) CHECK(step.find("graph") == std::string::npos);
  CHECK(idling("cudaLaunchKernel").verdict.would_change.find("graph") != std::string::npos);
}

/// Ten kernels of 80 us with `idle_us` before each, of which the profiler recorded calls, or nothing else.
Diagnosis unseen_host(double idle_us, const char* launch, const char* copy = nullptr) {
  std::string events;
  for (int i = 1; i <= 10; ++i) {
    const double at = i * (idle_us + 80);
    auto work = tests::on_stream("kernel", tests::gemm, at, 80, i);
    if (copy != nullptr) {
      work = tests::on_stream("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", at, 80, i);
      work.args += R"(, "bytes": 1000000)";
    }
    events += (i > 1 ? ",\n" : "") + tests::json(work);
    const auto* call = copy != nullptr ? copy : launch;
    if (call != nullptr) events += ",\n" + tests::json(tests::call(call, at - 10, 5, i));
  }
  return diagnose(parse_trace("[" + events + "]", "unseen.json"));
}

TEST_CASE("where nothing was recorded of the host, a long wait for it has no cause", "[trace][regime]") {
  for (const auto* launch : {"cudaLaunchKernel", "hipExtModuleLaunchKernel"}) {
    const auto silent = unseen_host(3000, launch);
    CHECK(silent.verdict.regime == Regime::unknown);
    CHECK(silent.verdict.evidence.find("nothing shows what the host did") != std::string::npos);
    CHECK(silent.verdict.would_change.find("ProfilerActivity.CPU") != std::string::npos);
    CHECK(found(silent, "launch_gaps") == nullptr);
    CHECK(found(silent, "low_utilization") == nullptr);
  }
  // No loader is that quick: whatever the host does, it launches too slowly.
  const auto busy = unseen_host(900, "cudaLaunchKernel");
  CHECK(busy.verdict.regime == Regime::overhead);
  CHECK(found(busy, "launch_gaps") != nullptr);
}

TEST_CASE("a copy says nothing of a host that was not recorded", "[trace][regime]") {
  for (const auto* copy : {"cudaMemcpyAsync", "hipMemcpyWithStream"}) {
    const auto copying = unseen_host(3000, nullptr, copy);
    CHECK(copying.verdict.regime == Regime::unknown);
    CHECK(found(copying, "input_preparation") == nullptr);
  }
}

TEST_CASE("where no launch was recorded nobody is told of launches and graphs", "[trace][findings]") {
  const auto kernels_only = unseen_host(25, nullptr);
  const auto* gaps = found(kernels_only, "launch_gaps");
  REQUIRE(gaps != nullptr);
  CHECK(gaps->message.find("launched") == std::string::npos);
  for (const auto& step : gaps->steps) {
    CHECK(step.find("graph") == std::string::npos);
    CHECK_FALSE(step.starts_with("launch/"));
  }
  CHECK(std::ranges::any_of(found(unseen_host(25, "cudaLaunchKernel"), "launch_gaps")->steps,
                            [](const std::string& step) { return step.starts_with("launch/"); }));
}

TEST_CASE("work that was launched before the recording began belongs to no step", "[trace]") {
  tests::Story story;
  story.unlaunched(tests::gemm, 20, 1000);
  for (int step = 0; step < 5; ++step)
    story.step([&] {
      story.kernels(tests::gemm, 10, 1000);
      story.pause(9900);
    });
  const auto diagnosis = diagnose(story.trace());
  CHECK(diagnosis.judged_steps == 3);
  CHECK(diagnosis.kernels.count == 30);
}

}  // namespace
