// `--config FILE`: which model is trained, on what and how. No LibTorch: it reports wrong input at once.
#pragma once

#include "harness/core/setup.hpp"

#include "workloads/stgym/space/configuration.hpp"
#include "workloads/stgym/space/stgym_switches.hpp"

namespace workloads::stgym::space {

constexpr std::string_view config_option = "config";

/// The configuration that the options ask for; nothing without --config. Its value is a file, the name of a
/// configuration that is shipped, or the text of one. Throws BadInput where it is wrong or does not fit
/// --data.
std::optional<Configuration> configuration_in(const harness::Options& options);

/// Puts the text of the configuration in the place of its file, so that all processes of a session and its
/// results have the same one, whatever becomes of the file. Throws what configuration_in throws.
void resolve_config(harness::Options& options);

/// Why a step of the ladder has nothing to compare with this configuration; empty: it has. `step` is the
/// step's id.
std::string why_not(const Configuration& configuration, std::string_view step);
/// The same of the rung with that switch.
std::string why_not(const Configuration& configuration, bool Switches::* change);

/// Why, besides, the rung has nothing to compare on a CUDA device.
std::string why_not_on_cuda(const Configuration& configuration, bool Switches::* change);

/// Without those that have nothing to change in the configuration's model, or do not know it.
Switches applicable(const Configuration& configuration, Switches switches);

/// Why a row of the step cannot run with the options; empty: it can. Throws what configuration_in throws.
std::string why_not(const harness::Options& options, std::string_view step);

}  // namespace workloads::stgym::space
