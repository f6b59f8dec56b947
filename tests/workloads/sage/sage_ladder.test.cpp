#include "tests/workloads/sage/small_graph.hpp"

#include "harness/core/same_answer.hpp"

#include "workloads/sage/sage_trial.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cmath>

namespace {

using namespace harness;
using namespace workloads::sage;

Setup small_setup() {
  Setup setup;
  setup.seed = 7;
  setup.options["scale"] = "0.002";
  setup.options["batch-size"] = "16";
  return setup;
}

const Tolerance& promised(bool Switches::* change) {
  static constexpr Tolerance exact{};
  if (change == &Switches::half_features) return half_precision;
  const bool reorders =
      change == &Switches::trim || change == &Switches::csr_aggregate || change == &Switches::fused_optimizer;
  return reorders ? other_order : exact;
}

TEST_CASE("every rung gives the answer that it promises, or says what it needs", "[ladder]") {
  auto setup = small_setup();
  for (const auto& rung : ladder)
    for (const auto unit : {TimedUnit::step, TimedUnit::steps}) {
      if (rung.needs_device != nullptr)
        CHECK_THROWS_AS(rung_trial(setup, rung.change, unit), Skip);
      else
        CHECK_NOTHROW(check_same_answer(rung_trial(setup, rung.change, unit), promised(rung.change), [] {}));
    }
}

TEST_CASE("all kept changes together train as the naive form does, in FP64 to 1e-9", "[ladder]") {
  Trainer naive(small_graph::job(at::kDouble), {}), optimized(small_graph::job(at::kDouble), best());
  naive.steps(6);
  optimized.steps(6);
  const auto& one = naive.parameters();
  const auto& other = optimized.parameters();
  for (std::size_t i = 0; i < one.size(); ++i)
    CHECK((one[i].second - other[i].second).abs().max().item<double>() < 1e-9);
}

TEST_CASE("steps with workers go on from batch to batch and into the next epoch", "[ladder]") {
  Trainer together(small_graph::job(), best()), one_by_one(small_graph::job(), best());
  const auto count = together.batches_per_epoch() + 3;
  together.steps(2);
  together.steps(count - 2);
  for (std::int64_t i = 0; i < count; ++i) one_by_one.step();
  CHECK(together.losses() == one_by_one.losses());
}

TEST_CASE("the same seeds have another sample in each epoch", "[ladder]") {
  auto job = small_graph::job();
  job.batch_size = job.graph->training;  // a batch is an epoch
  job.learning_rate = 0;
  for (const auto& switches : {Switches{}, best()}) {
    Trainer trainer(job, switches);
    trainer.steps(2);
    const auto losses = trainer.losses();
    CHECK(std::abs(losses[1] - losses[0]) > 1e-4 * losses[0]);
  }
}

TEST_CASE("a training learns: the loss behind 40 steps is lower", "[ladder]") {
  Trainer trainer(small_graph::job(), best());
  const auto before = trainer.validation_loss();
  trainer.steps(40);
  CHECK(trainer.validation_loss() < 0.9 * before);
}

TEST_CASE("a layer averages the sampled neighbors, not all of them, and adds the node itself", "[ladder]") {
  const auto job = small_graph::job(at::kDouble);
  workloads::training::State state(at::kDouble);
  const SageLayer layer(state, "layer", 100, 4);
  const c10::NoGradGuard no_gradients;
  for (const auto& [name, parameter] : state.parameters()) parameter.copy_(at::randn_like(parameter));
  for (const bool by_rows : {false, true}) {
    const Feed feed(job.graph, {3}, {.csr_aggregate = by_rows}, at::kCPU);
    auto batch = feed.sampled({{0, 1, 2, 3}, 1});  // nodes of many neighbours
    feed.gather(batch);
    const auto x = batch.features.to(at::kDouble);
    const auto output = layer(x, batch.graph, trimmed(batch.graph, 0));
    for (std::int64_t node = 0; node < 4; ++node) {
      const auto mean = x.index_select(0, batch.graph.sources.slice(0, 3 * node, 3 * node + 3)).mean(0);
      const auto expected = at::linear(mean, state.parameters()[0].second, state.parameters()[1].second) +
                            at::linear(x[node], state.parameters()[2].second);
      CHECK(at::allclose(output[node], expected, 1e-12, 1e-12));
    }
  }
}

TEST_CASE("a graph with fewer training nodes than a batch is refused", "[ladder]") {
  auto job = small_graph::job();
  job.batch_size = 1'000'000;
  CHECK_THROWS_AS(Trainer(job, {}), BadInput);
}

TEST_CASE("a rung is measured against the kept rungs below it, a branch does not carry the next",
          "[ladder]") {
  CHECK(below(&Switches::log_every_n) == Switches{});
  CHECK(with(&Switches::half_features).half_features);
  CHECK_FALSE(below(&Switches::workers).half_features);
  CHECK(with(&Switches::prefetch) == best());
}

TEST_CASE("a rung that stands on a branch has it in both forms", "[ladder]") {
  CHECK(below(&Switches::hot_rows).zero_copy);
  CHECK(with(&Switches::hot_rows).zero_copy);
  CHECK_FALSE(below(&Switches::captured).zero_copy);
}

double figure(const std::vector<Figure>& all, std::string_view name, Form form) {
  const auto found = std::ranges::find(all, name, &Figure::name);
  REQUIRE(found != all.end());
  return form == Form::naive ? found->naive : found->optimized;
}

TEST_CASE("a row says what shares of a step wait, and the floor of all its steps", "[ladder]") {
  auto setup = small_setup();
  const auto one = rung_trial(setup, &Switches::workers, TimedUnit::step).figures(),
             four = rung_trial(setup, &Switches::workers, TimedUnit::steps).figures();
  for (const auto form : {Form::naive, Form::optimized}) {
    double sum = 0;
    for (const auto* share : {"of a step: waits for its sample", "of a step: gathers in the loop",
                              "of a step: waits for copies", "of a step: trains"})
      sum += figure(four, share, form);
    CHECK(std::abs(sum - 100) < 1e-6);
    CHECK(figure(four, "a step's wait for its sample", form) > 0);
    CHECK(figure(four, "floor: bytes to move", form) > 3 * figure(one, "floor: bytes to move", form));
  }
}

TEST_CASE("the floor is a batch's features, Adam's passes and the products of trimmed layers", "[ladder]") {
  auto setup = small_setup();
  const auto trial = rung_trial(setup, &Switches::half_features, TimedUnit::step);
  const auto row = trial.figures();
  const auto parts = Trainer(job(setup), {}).timed_step();  // the row's batch
  const double nodes = figure(row, "a batch's nodes", Form::naive);
  CHECK(nodes == static_cast<double>(parts.graph.nodes()));
  constexpr double of_layers[] = {2. * 100 * 256, 2. * 256 * 256, 2. * 256 * 47};  // weights
  const double adam = 7 * 4 * (of_layers[0] + of_layers[1] + of_layers[2]);
  CHECK(figure(row, "floor: bytes to move", Form::naive) == adam + 2 * 4 * 100 * nodes);
  CHECK(figure(row, "floor: bytes to move", Form::optimized) == adam + 2 * 2 * 100 * nodes);
  const auto& hops = parts.graph.nodes_by_hop;
  const auto seeds = static_cast<double>(hops[0]), second = seeds + static_cast<double>(hops[1]),
             first = second + static_cast<double>(hops[2]);
  const double flop = 2 * (2 * first * of_layers[0] + 3 * second * of_layers[1] + 3 * seeds * of_layers[2]);
  CHECK(std::abs(1e9 * figure(row, "floor: arithmetic to do", Form::naive) - flop) < 1);
}

}  // namespace
