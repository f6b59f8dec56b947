// The ladders of a run as pictures: each rung's time before and after its change.
#pragma once

#include "harness/results/results.hpp"
#include "harness/tensorboard/event_records.hpp"

#include <string>
#include <vector>

namespace harness::compare {

struct LadderPicture {
  std::string name;  // "stgym/step/cpu": workload, unit of pairing, device
  tensorboard::Image image;
};

/// One for each workload, device and unit of pairing that the run has timed rungs of (rows with an axis
/// `unit`).
std::vector<LadderPicture> ladder_pictures(const results::Results& run);

}  // namespace harness::compare
