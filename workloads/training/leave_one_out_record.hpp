// A change at the two ends of a ladder: taken from the best form, and alone in naive.
#pragma once

#include "harness/core/step.hpp"

#include "workloads/training/rung_step.hpp"
#include "workloads/training/switches.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace workloads::training {

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
