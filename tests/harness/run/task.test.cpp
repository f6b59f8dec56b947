#include "harness/run/task.hpp"

#include "tests/harness/catalogue/made_up_catalogue.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <nlohmann/json.hpp>

#include <string>

namespace harness::run {
namespace {

std::string task_with(const std::string& from, const std::string& to) {
  auto text = task_to_json({});
  text.replace(text.find(from), from.size(), to);
  return text;
}

results::Row asked(const char* name, std::int64_t iterations, int pairs = 1) {
  results::Row row;
  row.name = name;
  row.measured.iterations = iterations;
  row.measured.pairs = pairs;
  return row;
}

TEST_CASE("where calls are to be recorded survives the way to the worker", "[task]") {
  CHECK(task_from_json(task_to_json({.calls = "/tmp/a file"})).calls == "/tmp/a file");
  CHECK(task_from_json(task_to_json({})).calls.empty());
}

TEST_CASE("What is to be profiled survives the way to the worker", "[task]") {
  const Task sent{.profile = ProfilePlan{
                      .schedule = {1, 2, 3, 4}, .forms = {Form::optimized}, .folder = "/tmp/a folder"}};
  const auto got = task_from_json(task_to_json(sent));
  REQUIRE(got.profile);
  CHECK(got.profile->schedule == sent.profile->schedule);
  CHECK(got.profile->forms == sent.profile->forms);
  CHECK(got.profile->folder == sent.profile->folder);
  CHECK_FALSE(task_from_json(task_to_json({})).profile);
}

TEST_CASE("A task survives the way to the worker", "[task]") {
  const Task sent{.seed = 0xffff'ffff'ffff'ffffu,
                  .device = {Device::Kind::cuda, 3},
                  .threads = 8,
                  .options = {{"data", "human-crc=a b.csv"}},
                  .round = 3,
                  .budget_seconds = 12.5,
                  .rows = {asked("a/b", 1), asked("a/c/n:1", 400, 4)},
                  .loader = "/opt/a folder/tuneproof",
                  .memory = true,
                  .parent = 77};
  const auto got = task_from_json(task_to_json(sent));
  CHECK(got.seed == sent.seed);
  CHECK(got.device == sent.device);
  CHECK(got.options == sent.options);
  CHECK(got.round == sent.round);
  CHECK(got.budget_seconds == sent.budget_seconds);
  REQUIRE(got.rows.size() == 2);
  CHECK(got.rows[1].name == "a/c/n:1");
  CHECK(got.rows[1].measured.iterations == 400);
  CHECK(got.rows[1].measured.pairs == 4);
  CHECK(got.loader == sent.loader);
  CHECK(got.memory);
  CHECK(got.parent == sent.parent);
}

TEST_CASE("what the rehearsal found for a row survives the way to the worker", "[task]") {
  auto row = asked("a/b", 7);
  row.measured.optimized_iterations = 21;
  row.measured.calibrations = {{"overlap/delay", 4096}};
  const auto got = task_from_json(task_to_json({.rows = {row}}));
  REQUIRE(got.rows.size() == 1);
  CHECK(got.rows[0].measured.optimized_iterations == 21);
  CHECK(got.rows[0].measured.calibrations == row.measured.calibrations);
}

TEST_CASE("A plant survives the way to the worker", "[task]") {
  const Task sent{.plant = {.same_forms = true, .slow_naive = 0.05, .slow_optimized = 0.12}};
  CHECK(task_from_json(task_to_json(sent)).plant == sent.plant);
  CHECK(task_from_json(task_to_json({})).plant == Plant{});
  CHECK(task_to_json({}).find("plant") == std::string::npos);
}

TEST_CASE("A plant that speeds up is malformed", "[task]") {
  const Task sent{.plant = {.slow_naive = -0.05}};
  CHECK_THROWS_WITH(task_from_json(task_to_json(sent)),
                    "task.plant.slow_naive: expected a share from 0 to 100");
}

TEST_CASE("A task that is malformed names the field", "[task]") {
  CHECK_THROWS_WITH(task_from_json("{}"), "task: 'seed' is missing");
  CHECK_THROWS_WITH(task_from_json(task_with("\"threads\":1", "\"threads\":0")),
                    "task.threads: expected a whole number from 1 to 100000");
  CHECK_THROWS_WITH(task_from_json(task_with("\"cpu\"", "\"tpu\"")),
                    "task.device: 'tpu' is not a device; expected cpu, cuda or cuda:N");
}

TEST_CASE("A round of no pair is malformed", "[task]") {
  auto text = task_to_json({.rows = {asked("a/b", 1)}});
  text.replace(text.find("\"pairs\":1"), 9, "\"pairs\":0");
  CHECK_THROWS_WITH(task_from_json(text), "task.rows[0].pairs: expected a whole number from 1 to 1000");
}

TEST_CASE("A round of a row that was never rehearsed is malformed", "[task]") {
  const Task rehearsal{.rows = {asked("a/b", 0)}};
  CHECK_FALSE(task_from_json(task_to_json(rehearsal)).round);
  auto round = rehearsal;
  round.round = 0;
  CHECK_THROWS_WITH(task_from_json(task_to_json(round)),
                    Catch::Matchers::StartsWith("task.rows[0].iterations: expected a whole number from 1 "));
}

TEST_CASE("What program and worker say has the form of its protocol", "[task]") {
  const Task task{.options = {{"data", "brca=FILE"}},
                  .round = 0,
                  .budget_seconds = 1.5,
                  .rows = {asked("a/b", 7)},
                  .profile = ProfilePlan{.schedule = {1, 2, 3, 4}, .folder = "f"},
                  .count = "g",
                  .calls = "h",
                  .plant = {.same_forms = true}};
  const auto steps = example::catalogue();
  const auto catalog = catalogue::catalogue_json({.steps = {steps.steps.at(2)}, .options = steps.options});
  REQUIRE(worker_protocol == 2);  // raise it with each change of the two texts
  CHECK(
      task_to_json(task) ==
      R"({"seed":0,"data_seed":0,"device":"cpu","threads":1,"options":{"data":"brca=FILE"},"round":0,)"
      R"("budget_seconds":1.5,"rows":[{"name":"a/b","iterations":7,"optimized_iterations":0,"calibrations":{},)"
      R"("pairs":1}],"profile":{"schedule":"wait=1,warmup=2,active=3,repeat=4","forms":["naive","optimized"],)"
      R"("folder":"f"},"plant":{"same_forms":true,"slow_naive":0.0,"slow_optimized":0.0},"count":"g",)"
      R"("calls":"h","loader":"","memory":false,"parent":0})"
      "\n");
  CHECK(nlohmann::ordered_json::parse(catalog).dump() ==
        R"({"steps":[{"id":"sync/item","claim":"Reading a value back stalls.","claim_ids":"",)"
        R"("sides":["without","with"],"source":{"title":"A guide","url":"https://example.org/guide",)"
        R"("where":"section 3"},"expected":"helps","published":"no figure","about":"","runs":"each",)"
        R"("tolerance":0.0,"tolerance_why":"","cuda_tolerance":0.0,"cuda_tolerance_why":"",)"
        R"("delta":0.03,"naive_may_be_wrong":false,"file":"","axes":[],"published_profile":[],)"
        R"("rows":[{"name":"sync/item/device:cpu","device":"cpu","quick":true,"expected":"depends",)"
        R"("seconds":4.0,"full":true,"claims":false,"at":[],"package_seconds":0.0},)"
        R"({"name":"sync/item/device:cuda","device":"cuda","quick":true,"expected":"helps",)"
        R"("seconds":4.0,"full":true,"claims":false,"at":[],"package_seconds":0.0}]}],)"
        R"("options":[{"name":"--scale","value":"FACTOR","meaning":"nodes per graph, as a share",)"
        R"("steps":""}]})");
}

}  // namespace
}  // namespace harness::run
