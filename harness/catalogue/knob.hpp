// What of a workload can be tuned: knobs and the values that they may take, as plain data.
#pragma once

#include "harness/core/setup.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness::catalogue {

/// The value of each knob, by its name and as text.
using Settings = std::map<std::string, std::string, std::less<>>;

/// One thing that a training can do in several ways.
struct Knob {
  std::string name;
  std::string about;
  std::vector<std::string> values;  // numbers rise
  std::string standard;             // where nobody tunes
  std::string advice = {};          // what checklists advise; empty: nothing
  bool ordered = false;             // the values are numbers
  bool changes_answer = false;      // the training may end at another loss
  /// For each value what it is called in the user's own code: "DataLoader(num_workers=4)"; empty: nothing.
  std::vector<std::string> in_code = {};
};

/// Two values that no training has together.
struct Clash {
  std::string_view knob, value, other, other_value;
  std::string_view reason;
};

/// Where a workload is tuned.
struct TuningPlace {
  Options options;  // of the workload, resolved
  Device device;
  int threads = 1;  // of the session: the most that a setting may have
};

/// A workload that can be tuned.
struct TunableWorkload {
  std::string_view workload;  // "gpt"
  std::string_view step;      // measures settings against the standard ones: "gpt/tuned"
  std::int64_t amount = 0;    // what one trial trains
  std::string_view unit;      // of the amount: "samples"
  double seconds = 0;         // about how long a trial of the standard settings takes on two CPU cores
  /// Those that the workload has on this device. Throws BadInput for bad options.
  std::vector<Knob> (*knobs)(const TuningPlace&) = nullptr;
  std::span<const Clash> clashes = {};
};

/// Why no training has these settings together; empty: one has.
std::string why_not(std::span<const Clash> clashes, const Settings& settings);

/// How many settings a row of a step "gpt/tuned" may choose from: its axis `setting` counts them from 1.
inline constexpr std::int64_t most_settings = 4;

/// The option that holds settings once they are resolved: {"workload": "gpt", "settings": [{...}]}.
inline constexpr std::string_view settings_option = "settings";
/// What a file of settings says of itself in `schema`.
inline constexpr std::string_view settings_schema = "tuneproof-settings/1";

}  // namespace harness::catalogue
