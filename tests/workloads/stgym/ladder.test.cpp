#include "harness/measure/same_answer.hpp"

#include "workloads/steps.hpp"
#include "workloads/stgym/switches.hpp"
#include "workloads/stgym/training_options.hpp"
#include "workloads/stgym/trial.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>

namespace {

using namespace harness;
using workloads::stgym::Switches;

/// The host with small data: about 8 nodes a graph.
Setup small_setup() {
  Setup setup;
  setup.seed = 7;
  setup.options = {{"scale", "0.002"}, {"epochs", "1"}};
  return setup;
}

Point point_of(const Step& step, std::string_view unit) {
  for (const auto& point : points(step.axes))
    for (const auto& c : point.at)
      if (c.axis == "unit" && c.text == unit) return point;
  throw std::runtime_error("no such unit");
}

TEST_CASE("the chain of kept rungs skips the branches and ends with every kept switch", "[stgym]") {
  CHECK(workloads::stgym::below(&Switches::delayed_cpu) == Switches{});
  CHECK(workloads::stgym::with(&Switches::delayed_cpu).delayed_cpu);
  CHECK_FALSE(workloads::stgym::below(&Switches::inplace).matmul_medium);
  CHECK_FALSE(workloads::stgym::below(&Switches::inplace).workers_5);
  CHECK(workloads::stgym::with(&Switches::workers_5).no_item);
  CHECK(workloads::stgym::with(&Switches::inplace) == workloads::stgym::all_kept());
}

TEST_CASE("every rung gives the answer that it promises, in each of its units", "[stgym]") {
  auto setup = small_setup();
  for (const auto* step : workloads::steps())
    for (const auto& point : points(step->axes)) {
      INFO(row_name(*step, point, setup.device));
      const auto trial = step->prepare(setup, point);
      CHECK_NOTHROW(check_same_answer(trial, tolerance_on(*step, setup.device), [] {}));
    }
}

TEST_CASE("the two forms of a rung differ in its switch only", "[stgym]") {
  for (const auto& rung : workloads::stgym::ladder) {
    auto below = workloads::stgym::below(rung.change);
    below.*rung.change = true;
    CHECK(below == workloads::stgym::with(rung.change));
  }
}

TEST_CASE("index tensors made on the host hold 4,416 bytes a node until they are made on the device",
          "[stgym]") {
  auto setup = small_setup();
  const auto& rung = workloads::stgym_device_indices;
  const auto trial = rung.prepare(setup, point_of(rung, "step"));
  for (const auto& figure : trial.figures())
    if (figure.name == "index bytes made on the host per step") {
      CHECK(figure.naive > 10 * figure.optimized);
      CHECK(figure.optimized < 100);
      return;
    }
  FAIL("the rung reports no index bytes");
}

TEST_CASE("a rung restarts from its first parameters once its epochs are done", "[stgym]") {
  auto setup = small_setup();
  const auto& rung = workloads::stgym_end_to_end;
  const auto trial = rung.prepare(setup, point_of(rung, "epoch"));
  trial.clear();
  trial.naive();
  const auto first = trial.answer(Form::naive);
  trial.before_slot(Form::naive);  // one epoch is done, and --epochs is 1
  trial.naive();
  CHECK(trial.answer(Form::naive) == first);
}

TEST_CASE("options that are no whole number above 0 are refused by name", "[stgym]") {
  for (const auto* text : {"0", "-1", "two", "", "1.5", "99999999999999999999"}) {
    INFO(text);
    CHECK_THROWS_AS(workloads::stgym::training_options({{"epochs", text}}), BadInput);
    CHECK_THROWS_AS(workloads::stgym::training_options({{"batch-size", text}}), BadInput);
  }
}

TEST_CASE("synthetic data are scaled down on the host only, and given a scale only where none was given",
          "[stgym]") {
  const Device host;
  const Device gpu{Device::Kind::cuda, 0};
  CHECK(workloads::stgym::data_options({}, host).at("scale") == "0.015625");
  CHECK_FALSE(workloads::stgym::data_options({}, gpu).contains("scale"));
  CHECK(workloads::stgym::data_options({{"scale", "1"}}, host).at("scale") == "1");
  CHECK_FALSE(workloads::stgym::data_options({{"data", "brca=b.csv"}}, host).contains("scale"));
}

}  // namespace
