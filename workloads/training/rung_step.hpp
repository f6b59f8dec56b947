// What all records of ResNet-50, GPT and U-Net have in common, and those of a change at the two ends of a
// ladder. rungs.hpp says what those of one rung have.
#pragma once

#include "harness/core/step.hpp"

#include "workloads/training/switches.hpp"
#include "workloads/training/trial.hpp"

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

enum class From : std::int64_t { best, naive };

constexpr harness::Axis from_axis{
    .name = "from",
    .about = "best: every kept change but this one, against all of them; naive: none, against this one",
    .labels = {"best", "naive"}};

/// The kept rungs of a model that reads `input`, from the bottom.
constexpr std::vector<Rung> kept_rungs(Input input) {
  std::vector<Rung> kept;
  for (const auto& rung : ladder)
    if (rung.kept && belongs(rung, input)) kept.push_back(rung);
  return kept;
}

/// The change by its rung's name: value i is kept[i].
template <class Rungs>
constexpr harness::Axis switch_axis(const Rungs& kept) {
  std::vector<std::int64_t> values;
  std::vector<std::string_view> names;
  for (const auto& rung : kept) {
    values.push_back(static_cast<std::int64_t>(values.size()));
    names.emplace_back(rung.name);
  }
  return {.name = "switch", .about = "the change, by its rung's name", .values = values, .labels = names};
}

template <Input input>
inline constexpr harness::Axis leave_one_out_axes[] = {switch_axis(kept_rungs(input)), from_axis};

template <Input input>
constexpr harness::Step leave_one_out_step(const OwnRecord& own) {
  auto step = rung_step(own, tuning_guide("the order of its advice; the question is ours"));
  step.axes = leave_one_out_axes<input>;
  step.tolerance = other_order_of(own);
  return step;
}

/// The forms of a point of both axes: without the change, and with it.
template <Input input>
Forms one_left_out(const harness::Point& point) {
  const auto change = kept_rungs(input).at(static_cast<std::size_t>(point["switch"])).change;
  Forms forms;
  if (From{point["from"]} == From::best) forms = {.naive = best(), .optimized = best()};
  forms.naive.*change = false;
  forms.optimized.*change = true;
  return forms;
}

}  // namespace workloads::training
