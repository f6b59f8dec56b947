#include "harness/core/same_answer.hpp"

#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/measure/graph_trial.hpp"
#include "workloads/stgym/space/stgym_switches.hpp"
#include "workloads/stgym/train/graph_trainer.hpp"
#include "workloads/stgym/train/training_options.hpp"
#include "workloads/workloads_steps.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

constexpr const char* left_out_on_the_host[] = {"loader:processes/data:device",
                                                "loader:threads/data:host",
                                                "stgym/tensor_core_products/",
                                                "stgym/bf16_rows/",
                                                "stgym/prefetch/",
                                                "stgym/amx_products/",
                                                "stgym/cuda_graph/",
                                                "stgym/compiled/",
                                                "stgym/lightning_hooks/",
                                                "stgym/fused_linear/",
                                                "stgym/fused_classifier/",
                                                "switch:fused_linear",
                                                "switch:fused_classifier",
                                                "from:naive/switch:rows_in_place",
                                                "switch:rows_in_place/from:naive"};

TEST_CASE("the chain of kept rungs skips the branches and ends with every kept switch", "[stgym]") {
  CHECK(workloads::stgym::below(&Switches::delayed_cpu) == Switches{});
  CHECK(workloads::stgym::with(&Switches::delayed_cpu).delayed_cpu);
  CHECK_FALSE(workloads::stgym::below(&Switches::inplace).matmul_medium);
  CHECK_FALSE(workloads::stgym::below(&Switches::inplace).workers_5);
  CHECK(workloads::stgym::with(&Switches::workers_5).no_item);
  CHECK(workloads::stgym::below(&Switches::graph_once) == workloads::stgym::with(&Switches::inplace));
  CHECK(workloads::stgym::with(&Switches::rows_in_place) == workloads::stgym::all_kept());
  for (const auto branch :
       {&Switches::tensor_core_products, &Switches::bf16_rows, &Switches::prefetch, &Switches::bf16,
        &Switches::amx_products, &Switches::cuda_graph, &Switches::compiled})
    CHECK(workloads::stgym::below(branch) == workloads::stgym::all_kept());
}

TEST_CASE("every rung gives the answer that it promises, in each of its units", "[stgym]") {
  auto setup = small_setup();
  for (const auto* step : workloads::steps()) {
    if (!step->id.starts_with("stgym/")) continue;
    for (const auto& point : points(step->axes)) {
      INFO(row_name(*step, point, setup.device));
      try {
        const auto trial = step->prepare(setup, point);
        CHECK_NOTHROW(check_same_answer(trial, tolerance_on(*step, setup.device), [] {}));
      } catch (const Skip&) {
        const auto name = row_name(*step, point, setup.device);
        CHECK(std::ranges::any_of(left_out_on_the_host,
                                  [&](const char* part) { return name.find(part) != std::string::npos; }));
      }
    }
  }
}

int switches_set(const Switches& switches) {
  return static_cast<int>(
      std::ranges::count_if(workloads::stgym::ladder, [&](const auto& r) { return switches.*r.change; }));
}

TEST_CASE("of a rung's forms the slow one has the kept rungs below, the fast one its own switch besides",
          "[stgym]") {
  const Point against_below{.at = {{"against", 0, "below"}, {"unit", 0, "step"}}};
  std::vector<int> slow, fast;
  for (const auto& rung : workloads::stgym::ladder) {
    const auto forms = workloads::stgym::rung_forms(against_below, rung.change);
    CHECK_FALSE(forms.naive.*rung.change);
    CHECK(forms.optimized.*rung.change);
    slow.push_back(switches_set(forms.naive));
    fast.push_back(switches_set(forms.optimized));
  }
  CHECK(slow == std::vector{0,  1,  2,  3,  4,  5,  6,  6,  6,  7,  8,  9,  10, 11, 12,
                            13, 14, 15, 16, 17, 18, 19, 20, 20, 20, 20, 20, 20, 20});
  CHECK(fast == std::vector{1,  2,  3,  4,  5,  6,  7,  7,  7,  8,  9,  10, 11, 12, 13,
                            14, 15, 16, 17, 18, 19, 20, 21, 21, 21, 21, 21, 21, 21});
}

TEST_CASE("against naive the slow form of a rung has no switch set", "[stgym]") {
  const Point against_naive{.at = {{"against", 1, "naive"}, {"unit", 0, "step"}}};
  CHECK(workloads::stgym::rung_forms(against_naive, &Switches::no_item).naive == Switches{});
}

const Step& step_named(std::string_view id) {
  return **std::ranges::find(workloads::steps(), id, [](const Step* step) { return step->id; });
}

/// The loss of a round's first slot of the naive form, and of the slot after it, both from the first
/// parameters.
std::array<Answer, 2> losses_of_round(int round) {
  auto setup = small_setup();
  setup.round = round;
  const auto& rung = step_named("stgym/single_tail");
  const auto trial = rung.prepare(setup, points(rung.axes).front());
  std::array<Answer, 2> losses;
  for (auto& loss : losses) {
    trial.clear();
    trial.before_slot(Form::naive);
    trial.naive();
    loss = trial.answer(Form::naive);
  }
  return losses;
}

TEST_CASE("all slots of a round train the same batch, those of the next round the next one", "[stgym]") {
  const auto first = losses_of_round(0);
  CHECK(first[0] == first[1]);
  CHECK(losses_of_round(1)[0] != first[0]);
}

TEST_CASE("a rewound trainer counts batches round and round and has forgotten its losses", "[stgym]") {
  auto setup = small_setup();
  const auto dataset = std::make_shared<const workloads::stgym::Dataset>(
      workloads::stgym::load_dataset(setup.options, setup.seed));
  workloads::stgym::Trainer trainer({dataset, at::kCPU, {}, setup.seed}, {});
  trainer.rewind(1);
  trainer.step();
  const auto second = trainer.losses();
  REQUIRE(second.size() == 1);
  trainer.restart();
  trainer.rewind(1 + trainer.batches_per_epoch());
  trainer.step();
  CHECK(trainer.losses() == second);
}

TEST_CASE("a loss that is not finite stops a rung with the number of its batch", "[stgym]") {
  auto setup = small_setup();
  auto dataset = workloads::stgym::load_dataset(setup.options, setup.seed);
  dataset.x.fill_(std::numeric_limits<float>::infinity());
  workloads::stgym::Trainer trainer(
      {std::make_shared<const workloads::stgym::Dataset>(std::move(dataset)), at::kCPU, {}, setup.seed}, {});
  CHECK_THROWS_WITH(trainer.step(), "batch 1: the loss is not finite");
}

std::set<std::string> figure_names(const Trial& trial) {
  std::set<std::string> names;
  for (const auto& figure : trial.figures()) names.insert(figure.name);
  return names;
}

TEST_CASE("a rung that times steps reports what a step copies", "[stgym]") {
  auto setup = small_setup();
  const auto& rung = step_named("stgym/device_indices");
  CHECK(figure_names(rung.prepare(setup, points(rung.axes).front())) ==
        std::set<std::string>{"index bytes made on the host per step", "ATen operators per step",
                              "aten::copy_ per step", "bytes written by aten::copy_ per step",
                              "floor: bytes to move", "floor: memory measured here",
                              "floor: arithmetic to do", "floor: FP32 products measured here", "floor",
                              "nodes of the batch that these count"});
}

TEST_CASE("a rung that times epochs reports how good the model is after a whole run", "[stgym]") {
  auto setup = small_setup();
  const auto& rung = step_named("stgym/end_to_end");
  const auto trial = rung.prepare(setup, points(rung.axes).front());
  trial.naive();
  trial.optimized();
  const auto names = figure_names(trial);
  for (const auto* name :
       {"a whole run, once", "validation accuracy", "validation micro-F1", "test accuracy", "test micro-F1"})
    CHECK(names.contains(name));
}

TEST_CASE("options that are not whole numbers above 0 are refused by name", "[stgym]") {
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
  CHECK(workloads::stgym::data_options({}, host).at("scale") == "0.00390625");
  CHECK_FALSE(workloads::stgym::data_options({}, gpu).contains("scale"));
  CHECK(workloads::stgym::data_options({{"scale", "1"}}, host).at("scale") == "1");
  CHECK_FALSE(workloads::stgym::data_options({{"data", "brca=b.csv"}}, host).contains("scale"));
}

}  // namespace
