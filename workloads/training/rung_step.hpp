// What all records of ResNet-50, GPT and U-Net have in common. rungs.hpp says what those of one rung have.
#pragma once

#include "harness/core/checked.hpp"
#include "harness/core/step.hpp"

#include "workloads/training/trial.hpp"

#include <string_view>

namespace workloads::training {

/// What the file of one model says of a step that other models have too.
struct OwnRecord {
  std::string_view id;
  std::string_view claim;
  harness::Prepare prepare;
  double row_seconds;
  harness::Tolerance tolerance = {};  // where it is the model's
};

/// What forms may differ by that add in another order.
constexpr harness::Tolerance other_order_of(const OwnRecord& own) {
  return own.tolerance.relative > 0 ? own.tolerance : other_order;
}

constexpr harness::Source tuning_guide(std::string_view where) {
  return {"PyTorch Performance Tuning Guide",
          "https://docs.pytorch.org/tutorials/recipes/recipes/tuning_guide.html", where};
}

constexpr harness::Source cuda_semantics(std::string_view where) {
  return {"PyTorch, CUDA semantics", "https://docs.pytorch.org/docs/stable/notes/cuda.html", where};
}

/// A rung that times a training step and of which no figure was published.
constexpr harness::Step rung_step(const OwnRecord& own, const harness::Source& source) {
  return {.id = own.id,
          .claim = own.claim,
          .source = source,
          .runs = harness::Runs::session,
          .axes = step_axes,
          .prepare = own.prepare,
          .expectation = {.outcome = harness::Outcome::depends, .published = "no figure"},
          .row_seconds = own.row_seconds,
          .suite = harness::Suite::named};
}

/// One that times a training step in several processes.
constexpr harness::Step ranks_step(const OwnRecord& own, const harness::Source& source) {
  auto step = rung_step(own, source);
  step.axes = {};
  step.tolerance = other_order_of(own);
  return step;
}

}  // namespace workloads::training
