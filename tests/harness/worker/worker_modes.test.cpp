#include "harness/worker/worker_modes.hpp"

#include "tests/gpu/require_device.hpp"
#include "tests/gpu/stand_in_record.hpp"

#include "harness/run/supervisor.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace harness::worker {
using namespace results;
using namespace run;
namespace {

using Catch::Matchers::ContainsSubstring;

struct Heard {
  std::vector<Row> rows;
  int workers = 0;
};

WorkerPlan worker_plan_of(std::initializer_list<const char*> steps) {
  WorkerPlan worker_plan;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  worker_plan.worker = {folder / "device_worker", {}, {"KINETO_LOG_LEVEL=99"}};
  worker_plan.task.device = {Device::Kind::cuda, 0};
  for (const auto* step : steps) {
    Row row;
    row.name = row.step = std::string("test/") + step;
    row.device = worker_plan.task.device;
    worker_plan.rows.push_back(row);
  }
  return worker_plan;
}

Heard carry_out(const WorkerPlan& worker_plan) {
  Heard heard;
  const Reports reports{.begun = [](const std::string&) {},
                        .ended = [&](Row row) { heard.rows.push_back(std::move(row)); },
                        .said = [](const std::string&) {},
                        .stop = [] { return false; }};
  SignalWatch signals;
  heard.workers = Supervisor(worker_plan, reports, signals).run().workers;
  REQUIRE(heard.rows.size() == worker_plan.rows.size());
  return heard;
}

/// The rows as they came back, and how many processes it took.
Heard rehearse(std::initializer_list<const char*> steps) { return carry_out(worker_plan_of(steps)); }

bool measured(const Row& row) { return row.reason.empty() && row.measured.iterations > 0; }

TEST_CASE("rows that go well on a device share a worker", "[gpu][worker]") {
  require_device();
  const auto heard = rehearse({"good", "good", "good"});
  for (const auto& row : heard.rows) CHECK(measured(row));
  CHECK(heard.workers == 1);
}

TEST_CASE("a form that throws on a device is the last of its worker", "[gpu][worker]") {
  require_device();
  const auto heard = rehearse({"throwing", "good"});
  CHECK(heard.rows[0].judged.verdict == Verdict::failed);
  CHECK_THAT(heard.rows[0].reason, ContainsSubstring("cudaErrorStreamCaptureInvalidated"));
  CHECK(measured(heard.rows[1]));
  CHECK(heard.workers == 2);
}

TEST_CASE("a form that found the device full is the last of its worker", "[gpu][worker]") {
  require_device();
  const auto heard = rehearse({"full", "good"});
  CHECK(heard.rows[0].judged.verdict == Verdict::skipped);
  CHECK(measured(heard.rows[1]));
  CHECK(heard.workers == 2);
}

TEST_CASE("a kernel that fails unseen fails the row that queued it, not the next", "[gpu][worker]") {
  require_device();
  const auto heard = rehearse({"good", "late", "good"});
  CHECK(measured(heard.rows[0]));
  CHECK(heard.rows[1].judged.verdict == Verdict::failed);
  CHECK_FALSE(heard.rows[1].reason.empty());
  CHECK(measured(heard.rows[2]));
  CHECK(heard.workers == 2);
}

TEST_CASE("a row that recorded is the last of its worker, since the profiler stays attached",
          "[gpu][worker]") {
  require_device();
  const auto heard = rehearse({"recording", "good"});
  for (const auto& row : heard.rows) CHECK(measured(row));
  CHECK(heard.workers == 2);
}

TEST_CASE("a round's canary runs twice before its rows and twice behind them", "[gpu][worker]") {
  if (has_times(require_device())) SKIP("needs the stand-in, which records launches");
  const StandInRecord record;
  auto worker_plan = worker_plan_of({"good"});
  worker_plan.worker.environment.push_back(record.variable());
  worker_plan.task.round = 0;
  worker_plan.rows.front().measured.iterations = 1;
  const auto heard = carry_out(worker_plan);
  const auto launches = std::ranges::count_if(record.commands(), [](const RecordedCommand& command) {
    return command.name.find("canary") != std::string::npos;
  });
  CHECK(measured(heard.rows.front()));
  CHECK(launches == 1 + 2 + 2);  // the first one loads the kernel
}

}  // namespace
}  // namespace harness::worker
