// What the steps "WORKLOAD/tuned" have in common: which settings they measure, and the losses beside the
// times.
#pragma once

#include "harness/core/step.hpp"

#include "workloads/tuning/make_knob.hpp"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace workloads::tuning {

/// What a row measures against each other.
struct TwoSettings {
  Settings standard, chosen;
};

/// The standard settings and those at the point's place. Throws Skip where the option has fewer; BadInput
/// where they are wrong.
TwoSettings settings_at(const harness::Setup& setup, const harness::Point& point,
                        const harness::catalogue::TunableWorkload& workload);

/// The loss that a training with these settings and this seed ends at.
using LossOf = std::function<double(const Settings& settings, std::uint64_t seed)>;

/// The mean losses over two seeds that no trial has used. The standard settings' are found once in a worker.
std::vector<harness::Figure> fresh_losses(harness::Setup& setup, std::string_view workload,
                                          const TwoSettings& settings, const LossOf& loss);

/// The figure that `fresh_losses` gives is called so.
constexpr std::string_view loss_figure = "validation loss";

}  // namespace workloads::tuning
