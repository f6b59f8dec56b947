// A training to its end, epoch by epoch.
#pragma once

#include "workloads/stgym/space/switches.hpp"
#include "workloads/stgym/train/evaluate.hpp"
#include "workloads/stgym/train/trainer.hpp"

#include <vector>

namespace workloads::stgym {

/// What one epoch has come to: mean loss over its training batches, then both other parts of the split.
struct EpochReport {
  double training_loss = 0;
  Scores validation;
  Scores test;
};

struct Fit {
  std::vector<EpochReport> epochs;
  bool stopped_early = false;  // the validation loss had not fallen for as long as there is patience
  std::size_t best = 0;        // the epoch with the lowest validation loss, from 0
};

/// Trains until the last epoch, or until the configuration's patience is over. Throws what Trainer throws.
Fit fit(const Job& job, const Switches& switches);

}  // namespace workloads::stgym
