// The pages of `list`, `explain` and `doctor` as a whole.
#include "tests/golden.hpp"
#include "tests/harness/catalogue/made_up_catalogue.hpp"

#include "harness/pages/step_page.hpp"
#include "harness/run/doctor.hpp"
#include "harness/run/list.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

using namespace harness;
using namespace harness::catalogue;
using namespace harness::run;
using namespace harness::pages;

namespace {

constexpr auto rung_source = R"(// Build index tensors where they are used.
//
// Question: How much is saved?
//
// The copy waits for the device.
//
// When it does not matter: on the CPU.
//
// Promise: the same bits.

#include "workloads/stgym/rungs.hpp"

namespace workloads {

Trial prepare(Setup& setup, const Point& point) {
  return stgym::rung_trial(setup, point, &stgym::Switches::device_indices);
}

}  // namespace workloads
)";

constexpr auto layer_source = R"(#include "workloads/stgym/model/pooling.hpp"

at::Tensor unrelated() { return {}; }

/// Where the indices are made.
at::Tensor indices(const Switches& switches, std::int64_t n, at::Device device) {
  if (switches.device_indices) return at::arange(n, device);
  return at::arange(n).to(device);
}
)";

constexpr StepSource sources[] = {
    {"stgym/device_indices", "workloads/stgym/device_indices.cpp", rung_source},
    {"stgym/device_indices", "workloads/stgym/model/pooling.cpp", layer_source},
};

std::vector<const catalogue::Step*> all_of(const Catalogue& catalogue) {
  std::vector<const catalogue::Step*> steps;
  for (const auto& step : catalogue.steps) steps.push_back(&step);
  return steps;
}

std::vector<Check> checks(Fitness worst) {
  return {{"cpu", Fitness::good, "A CPU, 2 hardware threads"},
          {"turbo"},
          {"load", Fitness::warn, "1.90 on 2 CPUs in the last minute",
           "other processes disturb the slots and widen the intervals", "ps -eo pcpu | head"},
          {"cuda device", worst, "driver too old: CUDA 12.2, needs 13.0", "", "install a newer driver"}};
}

}  // namespace

TEST_CASE("the list of steps is the one that was reviewed", "[golden]") {
  const auto catalogue = example::catalogue();
  const auto text = list_text(all_of(catalogue), {});
  CHECK(text == tests::golden("list.txt", text));
}

TEST_CASE("a claim that has no room beside its step stands whole below it", "[list]") {
  const auto catalogue = example::catalogue();
  const auto text = list_text(all_of(catalogue), {.columns = 60});
  CHECK(
      text.starts_with("STEP                       ROWS\n"
                       "transfer/pinned_h2d       2 / 3\n"
                       "    Copies from pinned memory are faster.\n"));
}

TEST_CASE("the page of a step is the one that was reviewed", "[golden]") {
  auto catalogue = example::catalogue();
  catalogue.steps[3].file = "workloads/stgym/device_indices.cpp";
  const auto text = explain_text(catalogue.steps[3], sources, {});
  CHECK(text == tests::golden("explain.txt", text));
}

TEST_CASE("the page of a step without an embedded source says what the catalogue knows", "[explain]") {
  const auto text = explain_text(example::catalogue().steps[0], {}, {});
  CHECK(text.find("64KiB  ") == text.npos);
  CHECK(text.find("bytes:1MiB*") != text.npos);
  CHECK(text.find("The code") == text.npos);
  CHECK(text.find("tuneproof run transfer/pinned_h2d --suite quick") != text.npos);
}

TEST_CASE("a step is found by its id and by the name of a row; otherwise near misses are named",
          "[explain]") {
  const auto catalogue = example::catalogue();
  CHECK(find_step(catalogue, "sync/item").id == "sync/item");
  CHECK(find_step(catalogue, "transfer/pinned_h2d/bytes:1MiB").id == "transfer/pinned_h2d");
  try {
    find_step(catalogue, "device_indexes");
    FAIL("a step of that name");
  } catch (const BadInput& error) {
    CHECK(std::string(error.what()) == "unknown step 'device_indexes'; did you mean 'stgym/device_indices'?");
  }
}

TEST_CASE("steps and topics of nearly a name are told, and nothing where none is near", "[explain]") {
  const auto catalogue = example::catalogue();
  CHECK(pages_near(catalogue, "stgym/devic_indices") == "; did you mean 'stgym/device_indices'?");
  CHECK(pages_near(catalogue, "topic/warmup").find("'topic/warm_up'") != std::string::npos);
  CHECK(pages_near(catalogue, "overhead/sync-bound").empty());
}

TEST_CASE("the doctor's page is the one that was reviewed", "[golden]") {
  const auto text = doctor_text(checks(Fitness::bad), {});
  CHECK(text == tests::golden("doctor.txt", text));
}

TEST_CASE("the doctor fails only where a GPU is present and cannot be used", "[doctor]") {
  CHECK(doctor_exit(checks(Fitness::bad)) == 1);
  CHECK(doctor_exit(checks(Fitness::warn)) == 0);
  CHECK(doctor_exit({}) == 0);
}

TEST_CASE("what the machine does not say is null in the doctor's JSON", "[doctor]") {
  const auto json = nlohmann::json::parse(doctor_json(checks(Fitness::bad)));
  CHECK(json["usable"] == false);
  CHECK(json["checks"][0]["fitness"] == "ok");
  CHECK(json["checks"][1]["fitness"].is_null());
  CHECK(json["checks"][1]["value"].is_null());
  CHECK(json["checks"][2]["fix"] == "ps -eo pcpu | head");
}
