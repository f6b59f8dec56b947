// A trial of a search: settings, and what one training with them gave.
#pragma once

#include "harness/catalogue/knob.hpp"
#include "harness/run/training.hpp"
#include "harness/support/field.hpp"

#include <string>
#include <string_view>

namespace harness::tune {

using catalogue::Settings;

/// How a trial ended: trained whole; given up on, since others were faster by then; or it could not be
/// trained.
enum class State { complete, pruned, failed };

struct Tried {
  int number = 0;  // from 0, in the order in which they were asked for
  Settings settings;
  State state = State::failed;
  run::Trained answer = {};  // of a pruned trial its time so far; of a failed one nothing
  std::string reason = {};   // why it failed
  double seconds = 0;        // that the trial took in all
};

std::string_view to_string(State state);

Json tried_to_json(const Tried& tried);
/// Throws BadInput where it is malformed.
Tried tried_from_json(const Field& json);

Json settings_to_json(const Settings& settings);
Settings settings_from_json(const Field& json);

/// "batch_size=64 precision=bf16": what differs from the standard settings; "standard" where nothing does.
std::string difference_text(const Settings& settings, const Settings& standard);

}  // namespace harness::tune
