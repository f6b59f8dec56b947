#include "workloads/training/training_log.hpp"

#include "tests/harness/results/records.hpp"
#include "tests/workloads/training/small_gpt.hpp"

#include "harness/support/read_text.hpp"

#include "workloads/training/trainer.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using namespace workloads::training;

/// Goes with the test, file by file: LibTorch brings a remove_all() that does not work.
struct LogFolder {
  LogFolder() = default;
  LogFolder(const LogFolder&) = delete;
  LogFolder& operator=(const LogFolder&) = delete;
  ~LogFolder() {
    std::vector<std::filesystem::path> all{path};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) all.push_back(entry.path());
    for (auto one = all.rbegin(); one != all.rend(); ++one) std::filesystem::remove(*one);
  }
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tuneproof_log_" + std::to_string(getpid()));
};

/// The events of the only file in the folder.
std::vector<std::string> events_in(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator files(folder);
  return harness::results::events_of(harness::read_text(files->path(), 1 << 20));
}

std::int64_t events_with(const std::vector<std::string>& events, const std::string& tag) {
  return std::ranges::count_if(events, [&](const auto& event) { return event.find(tag) != event.npos; });
}

TEST_CASE("every Nth step and each validation of a training are logged", "[training_log]") {
  const LogFolder folder;
  Trainer trainer(small_job(), {});
  const auto log = begin_log(LogPlan{folder.path, 2}, "run", at::kCPU);
  trainer.log_to(log);
  for (int i = 0; i < 5; ++i) trainer.step();
  trainer.validate();
  log->close();
  const auto events = events_in(folder.path / "run");
  for (const auto* tag :
       {"training/loss", "training/samples_per_second", "training/waiting_share", "training/memory_mib"})
    CHECK(events_with(events, tag) == 2);
  CHECK(events_with(events, "validation/loss") == 1);
  CHECK(events_with(events, "validation/accuracy") == 1);
}

TEST_CASE("the loss that is logged is the step's", "[training_log]") {
  const LogFolder folder;
  Trainer trainer(small_job(), {});
  const auto log = begin_log(LogPlan{folder.path, 1}, "run", at::kCPU);
  trainer.log_to(log);
  trainer.step();
  trainer.step();
  log->close();
  const auto losses = trainer.losses();
  std::vector<std::string> logged;
  for (const auto& event : events_in(folder.path / "run"))
    if (event.find("training/loss") != event.npos)
      logged.push_back(event.substr(event.size() - sizeof(float)));
  using harness::results::raw;
  CHECK(logged == std::vector<std::string>{raw(losses.at(0)), raw(losses.at(1))});
}

TEST_CASE("a training that is logged trains as one that is not", "[training_log]") {
  const LogFolder folder;
  Trainer logged(small_job(), {}), silent(small_job(), {});
  logged.log_to(begin_log(LogPlan{folder.path, 1}, "run", at::kCPU));
  for (int i = 0; i < 4; ++i) {
    logged.step();
    silent.step();
  }
  CHECK(logged.losses() == silent.losses());
}

TEST_CASE("a second training of the same name has a folder of its own", "[training_log]") {
  const LogFolder folder;
  for (int i = 0; i < 2; ++i) begin_log(LogPlan{folder.path, 1}, "run", at::kCPU)->close();
  CHECK(std::filesystem::exists(folder.path / "run"));
  CHECK(std::filesystem::exists(folder.path / "run-2"));
}

TEST_CASE("a log is asked for by --log", "[training_log]") {
  harness::Setup setup;
  setup.options = {{"log", "events"}, {"log-every", "3"}};
  const auto plan = log_plan(setup, "gpt");
  REQUIRE(plan);
  CHECK(plan->folder == "events/gpt");
  CHECK(plan->every == 3);
  setup.options = {};
  CHECK_FALSE(log_plan(setup, "gpt"));
}

TEST_CASE("--log-every must be a whole number from 1", "[training_log]") {
  harness::Setup setup;
  for (const auto* text : {"0", "-1", "often", "1.5", ""}) {
    setup.options = {{"log", "events"}, {"log-every", text}};
    CHECK_THROWS_AS(log_plan(setup, "gpt"), harness::BadInput);
  }
}

}  // namespace
