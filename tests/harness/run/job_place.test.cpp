#include "harness/run/job_place.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace harness;
using run::job_place_from;
using Environment = std::map<std::string, std::string>;

run::Variables reading(const Environment& environment) {
  return [environment](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  };
}

Environment torchrun() {
  return {{"RANK", "1"}, {"WORLD_SIZE", "4"}, {"MASTER_ADDR", "n1"}, {"MASTER_PORT", "29500"}};
}

Environment srun() {
  return {{"SLURM_PROCID", "3"},        {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_STEP_NUM_NODES", "1"},
          {"SLURMD_NODENAME", "n4"},    {"SLURM_JOB_ID", "1000"},      {"SLURM_STEP_ID", "2"},
          {"SLURM_STEP_NODELIST", "n4"}};
}

TEST_CASE("torchrun's variables make a process one of a job", "[job_place]") {
  const auto launch = job_place_from(reading(torchrun()));
  REQUIRE(launch);
  CHECK(launch->number == 1);
  CHECK(launch->size == 4);
  CHECK(launch->address == "n1");
  CHECK(launch->port == 29500);
  CHECK_FALSE(launch->node.empty());
  CHECK_FALSE(launch->meeting_open);
}

TEST_CASE("torchrun says whether it listens itself", "[job_place]") {
  auto environment = torchrun();
  environment["TORCHELASTIC_USE_AGENT_STORE"] = "True";
  CHECK(job_place_from(reading(environment))->meeting_open);
}

TEST_CASE("without one of torchrun's variables a process is alone", "[job_place]") {
  for (const auto& [name, value] : torchrun()) {
    INFO(name);
    auto environment = torchrun();
    environment.erase(name);
    CHECK_FALSE(job_place_from(reading(environment)));
  }
}

TEST_CASE("srun's processes on one node meet at the loopback", "[job_place]") {
  const auto launch = job_place_from(reading(srun()));
  REQUIRE(launch);
  CHECK(launch->number == 3);
  CHECK(launch->size == 4);
  CHECK(launch->node == "n4");
  CHECK(launch->address == "127.0.0.1");
  CHECK(launch->port == 20'000 + (1000 * 16 + 2) % 12'000);
}

TEST_CASE("an address and a port that the job names go before those of Slurm", "[job_place]") {
  auto environment = srun();
  environment["MASTER_ADDR"] = "10.0.0.7";
  environment["MASTER_PORT"] = "4711";
  const auto launch = job_place_from(reading(environment));
  CHECK(launch->address == "10.0.0.7");
  CHECK(launch->port == 4711);
}

TEST_CASE("a batch script, which srun has not started, is alone", "[job_place]") {
  auto environment = srun();
  environment.erase("SLURM_STEP_NUM_TASKS");
  environment["SLURM_NTASKS"] = "4";
  CHECK_FALSE(job_place_from(reading(environment)));
}

TEST_CASE("a job of one process is no job", "[job_place]") {
  auto environment = torchrun();
  environment["WORLD_SIZE"] = "1";
  environment["RANK"] = "0";
  CHECK_FALSE(job_place_from(reading(environment)));
  environment = srun();
  environment["SLURM_STEP_NUM_TASKS"] = "1";
  CHECK_FALSE(job_place_from(reading(environment)));
}

TEST_CASE("variables that make no sense are wrong input", "[job_place]") {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"RANK", "one"}, {"RANK", "4"}, {"WORLD_SIZE", "-1"}, {"MASTER_PORT", "0"}, {"MASTER_PORT", "70000"}};
  for (const auto& [name, value] : wrong) {
    INFO(name << '=' << value);
    auto environment = torchrun();
    environment[name] = value;
    CHECK_THROWS_AS(job_place_from(reading(environment)), BadInput);
  }
}

TEST_CASE("a row has two ranks unless the user says otherwise", "[job_place]") {
  CHECK(run::rank_count({}) == 2);
  CHECK(run::rank_count({{"ranks", "4"}}) == 4);
}

TEST_CASE("what is no number of ranks is wrong input", "[job_place]") {
  for (const auto* text : {"0", "-1", "two", "2.5", "1000000", ""}) {
    INFO(text);
    CHECK_THROWS_AS(run::rank_count({{"ranks", text}}), BadInput);
  }
}

TEST_CASE("a job has as many ranks as it has processes", "[job_place]") {
  const run::JobPlace launch{.number = 0, .size = 4, .node = "n1"};
  CHECK_NOTHROW(run::require_ranks_of(launch, {}));
  CHECK_NOTHROW(run::require_ranks_of(launch, {{"ranks", "4"}}));
  CHECK_THROWS_WITH(run::require_ranks_of(launch, {{"ranks", "3"}}),
                    "--ranks 3: this job has 4 processes, and they are the ranks");
}

}  // namespace
