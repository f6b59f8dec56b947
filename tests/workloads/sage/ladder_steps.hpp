// The table of rungs, as the program lists it.
#pragma once

#include "harness/core/step.hpp"

#include <span>
#include <vector>

namespace workloads::sage {

extern const std::span<const harness::Step> rungs;

inline harness::Steps ladder_steps() {
  static const std::vector<const harness::Step*> all = [] {
    std::vector<const harness::Step*> found;
    for (const auto& rung : rungs) found.push_back(&rung);
    return found;
  }();
  return all;
}

}  // namespace workloads::sage
