// Trials of a search for TensorBoard's page of hyperparameters: plain data, whatever has tried them.
#pragma once

#include <map>
#include <span>
#include <string>
#include <variant>

namespace harness::tensorboard {

/// What a trial set a knob to.
using Setting = std::variant<bool, double, std::string>;

struct Trial {
  std::string name;    // and its run's folder
  double started = 0;  // seconds since 1970
  double ended = 0;
  bool succeeded = true;
  std::map<std::string, Setting> settings = {};
  std::map<std::string, double> results = {};  // "samples per second", "loss": what was found
};

/// An event file's content that lists all knobs and results; it lies in the folder above the trials' own.
std::string experiment_file(std::span<const Trial> trials);

/// The content of a trial's event file: its settings, its results as scalars, how it ended.
std::string trial_file(const Trial& trial);

}  // namespace harness::tensorboard
