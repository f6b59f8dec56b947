#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/measure/graph_trial.hpp"
#include "workloads/stgym/space/stgym_switches.hpp"
#include "workloads/stgym/train/graph_trainer.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <map>
#include <memory>
#include <string>

namespace {

using namespace workloads::stgym;
using Catch::Matchers::WithinRel;
using workloads::training::floor_seconds;
using workloads::training::measure_rates;

/// 3 features, 2 hidden, 2 clusters, classifier 2 -> 4 -> 5: sums that can be done by hand.
ModelShape tiny_shape() {
  ModelShape shape;
  shape.features = 3;
  shape.hidden = 2;
  shape.clusters = 2;
  shape.post_hidden = {4};
  shape.classes = 5;
  return shape;
}

TEST_CASE("training moves x twice, activations twice, labels once and each parameter eight times",
          "[stgym]") {
  // 4 * 2 + 3 * 2 + 3 * 2 + 3 * 4 + 5 * 5 parameters; 2 + 2 + 2 + 4 + 5 activations a node.
  CHECK(training_work(tiny_shape(), 10).bytes == 10 * (4 * 2 * 3 + 4 * 2 * 15 + 8) + 57 * 8 * 4);
}

TEST_CASE("training multiplies x twice and every later layer's input three times", "[stgym]") {
  const double first = 2 * 3 * 2;
  const double later = 2 * (2 * 2 + 2 * 2 + 2 * 4 + 4 * 5);
  const double pooling = 2 * (2 * 2 + 2 * 2);
  CHECK(training_work(tiny_shape(), 10).flop == 10 * (2 * first + 3 * later + 2 * pooling));
}

TEST_CASE("a prediction moves x once and multiplies everything once", "[stgym]") {
  const auto work = prediction_work(tiny_shape(), 10);
  CHECK(work.bytes == 10 * (4 * 3 + 8) + 57 * 4);
  CHECK(work.flop == 10 * (12 + 72 + 16));
}

TEST_CASE("twice the nodes are twice the arithmetic", "[stgym]") {
  CHECK_THAT(training_work({}, 2000).flop, WithinRel(2 * training_work({}, 1000).flop, 1e-12));
}

TEST_CASE("data on the host come over the link, features and labels, and that may take longest", "[stgym]") {
  CHECK(link_work(tiny_shape(), 10).link_bytes == 10 * (4 * 3 + 8));
  const Rates rates{.bytes = 1000, .flop = 1000, .link_bytes = 10};
  const Work resident{.bytes = 2000, .flop = 3000};
  CHECK(floor_seconds(resident, rates) == 3);
  CHECK(floor_seconds(resident + Work{.link_bytes = 20}, rates) == 3);
  CHECK(floor_seconds(resident + Work{.link_bytes = 50}, rates) == 5);
}

TEST_CASE("products go on the fastest units that reach the form's digits", "[stgym]") {
  using workloads::training::Digits;
  using workloads::training::product_rate;
  const Rates old{.bytes = 1000, .flop = 50};
  const Rates server{.bytes = 1000, .flop = 50, .tf32_flop = 300};
  const Rates gaming{.bytes = 1000, .flop = 80, .tf32_flop = 90};
  CHECK(product_rate(old, Digits::fp32) == 50);
  CHECK(product_rate(old, Digits::tf32) == 50);
  CHECK(product_rate(server, Digits::fp32) == 100);  // three products in TF32
  CHECK(product_rate(server, Digits::tf32) == 300);
  CHECK(product_rate(gaming, Digits::fp32) == 80);
  CHECK(product_rate(gaming, Digits::tf32) == 90);
  const Work work{.bytes = 1000, .flop = 600};
  CHECK(floor_seconds(work, server) == 6);
  CHECK(floor_seconds({.bytes = 1000, .flop = 600, .digits = Digits::tf32}, server) == 2);
}

TEST_CASE("both floors are shown where there are tensor cores, and the least of them is the floor",
          "[stgym]") {
  const Rates server{.bytes = 1000, .flop = 50, .tf32_flop = 300};
  const Work work{.bytes = 1000, .flop = 600};
  std::map<std::string, double> seconds;
  for (const auto& figure : workloads::training::floor_figures(work, work, server))
    if (figure.unit == "s") seconds[figure.name] = figure.optimized;
  CHECK(seconds == std::map<std::string, double>{{"floor: on units for FP32", 12},
                                                 {"floor: on tensor cores, three products in TF32", 6},
                                                 {"floor", 6}});
}

TEST_CASE("the host has no link, and needs none", "[stgym]") {
  CHECK(floor_seconds({.bytes = 2000}, {.bytes = 1000, .flop = 1000}) == 2);
  const auto rates = measure_rates({});
  CHECK(rates.link_bytes == 0);
  CHECK(rates.tf32_flop == 0);
}

TEST_CASE("gpu: a step on data of the host needs the link, one on the device's does not", "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  const at::Device gpu(at::kCUDA, 0);
  const auto host = load_dataset({{"scale", "0.0005"}}, 7);
  const auto link_bytes = [&](const Dataset& data, TimedUnit unit) {
    const Trainer trainer({std::make_shared<const Dataset>(data), gpu, {}, 7}, all_kept());
    return work_of(trainer, unit).link_bytes;
  };
  const auto resident = move_to(host, gpu);
  for (const auto unit : {TimedUnit::step, TimedUnit::eval, TimedUnit::epoch}) {
    CHECK(link_bytes(host, unit) > 0);
    CHECK(link_bytes(resident, unit) == 0);
  }
}

TEST_CASE("this machine moves some bytes and does some arithmetic in a second", "[stgym]") {
  const auto rates = measure_rates({});
  CHECK(rates.bytes > 1e7);
  CHECK(rates.flop > 1e7);
}

}  // namespace
