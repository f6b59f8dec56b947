#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/measure/graph_trial.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

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
