// The ladder of the sampled GraphSAGE as data: one switch for each change. No LibTorch.
#pragma once

#include "workloads/training/switches.hpp"

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
  bool worker_processes = false;    // the workers are processes
  bool prefetch = false;            // copied on a stream of their own, one batch ahead
  bool features_on_device = false;  // the device has all features, and gathers them itself
  bool zero_copy = false;           // the device gathers them itself, out of the host's pinned memory
  bool hot_rows = false;            // and has those of the nodes with most neighbours
  bool sample_on_device = false;    // the device has the graph, and draws the samples itself
  bool captured = false;            // samples are padded to one size, and a step is one CUDA graph
  bool operator==(const Switches&) const = default;
};

/// A rung that is not kept is measured against the kept rungs below it, and those above do without it.
struct Rung {
  bool Switches::* change;
  bool kept;
  const char* needs_device = nullptr;    // why a CPU skips it; null: it does not
  bool Switches::* stands_on = nullptr;  // a rung that is not kept, but that both forms have
};

constexpr const char* no_second_memory = "the host has no second memory that batches would be copied to";
constexpr const char* already_there = "the features lie in the host's memory, which is the device's";

/// From the bottom.
constexpr Rung ladder[] = {
    {&Switches::log_every_n, true},
    {&Switches::trim, true},
    {&Switches::csr_aggregate, true},
    {&Switches::fused_optimizer, true},
    {&Switches::half_features, false},
    {&Switches::pinned, true, no_second_memory},
    {&Switches::workers, true},
    {&Switches::gather_in_workers, true},
    {&Switches::worker_processes, false},
    {&Switches::prefetch, true, no_second_memory},
    {&Switches::features_on_device, false, already_there},
    {&Switches::zero_copy, false, already_there},
    {&Switches::hot_rows, false, already_there, &Switches::zero_copy},
    {&Switches::sample_on_device, false, "the host draws the samples, and there is no other device",
     &Switches::features_on_device},
    {&Switches::captured, false, "CUDA graphs need a CUDA device"},
};

constexpr const Rung& rung_of(bool Switches::* change) {
  const auto* rung = ladder;
  while (rung->change != change) ++rung;
  return *rung;
}

/// The kept rungs below `change`, and what it stands on: what that rung is measured against.
constexpr Switches below(bool Switches::* change) {
  auto switches = training::kept_below(ladder, change);
  if (rung_of(change).stands_on != nullptr) switches.*rung_of(change).stands_on = true;
  return switches;
}

/// That, and `change`.
constexpr Switches with(bool Switches::* change) {
  auto switches = below(change);
  switches.*change = true;
  return switches;
}

constexpr Switches best() { return training::kept_below<Switches>(ladder, nullptr); }

}  // namespace workloads::sage
