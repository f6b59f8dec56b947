// Steps that no program lists: what tests run in processes of their own.
#pragma once

#include "harness/core/step.hpp"

#include <span>
#include <string_view>

namespace tests {

/// On the host, without an expectation.
constexpr harness::Step made_up_step(std::string_view id, std::span<const harness::Axis> axes,
                                     harness::Prepare prepare) {
  return {.id = id,
          .claim = "Made up.",
          .source = {},
          .runs = harness::Runs::host,
          .axes = axes,
          .prepare = prepare,
          .expectation = {.outcome = harness::Outcome::depends, .published = "no figure"}};
}

}  // namespace tests
