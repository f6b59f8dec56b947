#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/measure/graph_trial.hpp"
#include "workloads/stgym/train/graph_trainer.hpp"
#include "workloads/stgym/train/training_options.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace {

using namespace harness;
using namespace workloads::stgym;

Setup with_scale(const char* scale) {
  Setup setup;
  setup.seed = 7;
  if (scale != nullptr) setup.options = {{"scale", scale}};
  return setup;
}

TEST_CASE("rows share one data set where --scale says the scale, whatever their own is", "[stgym]") {
  auto setup = with_scale("0.002");
  const auto data = shared_dataset(setup, Data::device, "");
  CHECK(shared_dataset(setup, Data::device, "0.015625") == data);
  CHECK(shared_dataset(setup, Data::host, "0.002") == data);
}

TEST_CASE("rows of another scale have a data set of their own where no --scale is given", "[stgym]") {
  auto setup = with_scale(nullptr);
  const auto own = shared_dataset(setup, Data::device, "0.002");
  const auto standard = shared_dataset(setup, Data::device, "");
  CHECK(own != standard);
  CHECK(shared_dataset(setup, Data::device, "0.00390625") == standard);  // the host's default
  CHECK(own->nodes() < standard->nodes());
}

TEST_CASE("on the host every run of a slot is timed by itself", "[stgym]") {
  auto setup = with_scale("0.002");
  CHECK_FALSE(forms_trial(setup, {.naive = {}, .optimized = all_kept()}).whole_slot);
}

double figure(const std::vector<Figure>& figures, std::string_view name) {
  const auto found = std::ranges::find(figures, name, &Figure::name);
  REQUIRE(found != figures.end());
  CHECK(found->naive == found->optimized);
  return found->naive;
}

TEST_CASE("all figures of a step count one batch, wherever its forms are, and its nodes stand beside them",
          "[stgym]") {
  auto setup = with_scale("0.002");
  const auto trial = forms_trial(setup, {.naive = {}, .optimized = {}});
  trial.naive();  // the forms are at different batches now
  const auto figures = trial.figures();
  Trainer trainer({shared_dataset(setup, Data::device, ""), at::kCPU, training_options({}), setup.seed}, {});
  trainer.rewind(trainer.typical_batch());
  const auto before = trainer.host_indices();
  trainer.step();
  const auto after = trainer.host_indices();
  CHECK(figure(figures, "nodes of the batch that these count") == trainer.nodes_of(trainer.typical_batch()));
  CHECK(figure(figures, "index bytes made on the host per step") ==
        static_cast<double>(after.bytes - before.bytes + after.small_bytes - before.small_bytes));
  figure(figures, "bytes written by aten::copy_ per step");
}

TEST_CASE("gpu: steps are queued without a wait between them, epochs and validation passes are not",
          "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  auto setup = with_scale("0.004");
  setup.device = {Device::Kind::cuda, 0};
  const auto pipelined = [&](TimedUnit unit) {
    return forms_trial(setup,
                       {.naive = below(&Switches::fused_pooling), .optimized = all_kept(), .unit = unit})
        .whole_slot;
  };
  CHECK(pipelined(TimedUnit::step));
  CHECK_FALSE(pipelined(TimedUnit::eval));
  CHECK_FALSE(pipelined(TimedUnit::epoch));
}

TEST_CASE("gpu: a pipelined slot holds whole epochs of batches", "[stgym][gpu]") {
  if (!at::hasCUDA() || at::getNumGPUs() == 0) SKIP("no CUDA device");
  auto setup = with_scale("0.004");
  setup.device = {Device::Kind::cuda, 0};
  const auto trial = forms_trial(setup, {.naive = below(&Switches::fused_pooling), .optimized = all_kept()});
  CHECK(trial.slot_multiple == trial.answer_runs);  // which are an epoch's steps
  CHECK(trial.slot_multiple > 1);
}

}  // namespace
