// The ladder of the sampled GraphSAGE as data: one switch for each change. No LibTorch.
#pragma once

#include "workloads/training/ladder.hpp"

namespace workloads::sage {

/// What a form does differently from what a beginner writes. All false: naive.
struct Switches {
  bool log_every_n = false;         // the loss is read and shown every 50 steps, not in each
  bool trim = false;                // a layer computes the nodes that the next one reads, and no others
  bool csr_aggregate = false;       // neighbours are added up row by row, by one operator
  bool fused_optimizer = false;     // Adam's step is one operator over all parameters
  bool half_features = false;       // features lie and move in BF16
  bool pinned = false;              // batches lie in pinned memory, their copies are queued
  bool workers = false;             // threads sample ahead, one OpenMP thread each
  bool gather_in_workers = false;   // they gather the features too
  bool prefetch = false;            // copied on a stream of their own, one batch ahead
  bool features_on_device = false;  // the device has all features, and gathers them itself
  bool operator==(const Switches&) const = default;
};

/// A rung that is not kept is measured against the kept rungs below it, and those above do without it.
struct Rung {
  bool Switches::* change;
  bool kept;
  const char* needs_device = nullptr;  // why a CPU skips it; null: it does not
};

/// From the bottom.
constexpr Rung ladder[] = {
    {&Switches::log_every_n, true},
    {&Switches::trim, true},
    {&Switches::csr_aggregate, true},
    {&Switches::fused_optimizer, true},
    {&Switches::half_features, false},
    {&Switches::pinned, true, "the host has no second memory that batches would be copied to"},
    {&Switches::workers, true},
    {&Switches::gather_in_workers, true},
    {&Switches::prefetch, true, "the host has no second memory that batches would be copied to"},
    {&Switches::features_on_device, false, "the features lie in the host's memory, which is the device's"},
};

/// The kept rungs below `change`: what that rung is measured against.
constexpr Switches below(bool Switches::* change) { return training::kept_below(ladder, change); }

/// The kept rungs below `change`, and `change`.
constexpr Switches with(bool Switches::* change) { return training::kept_with(ladder, change); }

constexpr Switches best() { return training::kept_below<Switches>(ladder, nullptr); }

}  // namespace workloads::sage
