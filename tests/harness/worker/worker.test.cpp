#include "harness/worker/worker.hpp"

#include "tests/gpu/require_device.hpp"

#include "harness/worker/foreman.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace harness {
namespace {

using Catch::Matchers::ContainsSubstring;

struct Heard {
  std::vector<Row> rows;
  int workers = 0;
};

/// The rows as they came back, and how many processes it took.
Heard rehearse(std::initializer_list<const char*> steps) {
  Assignment assignment;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  assignment.worker = {folder / "device_worker", {}, {"KINETO_LOG_LEVEL=99"}};
  assignment.job.device = {Device::Kind::cuda, 0};
  for (const auto* step : steps) {
    Row row;
    row.name = row.step = std::string("test/") + step;
    row.device = assignment.job.device;
    assignment.rows.push_back(row);
  }
  Heard heard;
  const Reports reports{.begun = [](const std::string&) {},
                        .ended = [&](Row row) { heard.rows.push_back(std::move(row)); },
                        .said = [](const std::string&) {},
                        .stop = [] { return false; }};
  SignalWatch signals;
  heard.workers = Foreman(assignment, reports, signals).run().workers;
  REQUIRE(heard.rows.size() == steps.size());
  return heard;
}

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

}  // namespace
}  // namespace harness
