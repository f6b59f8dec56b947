// How large a row may be on the stand-in: every value of an axis above its cap becomes the cap, and the row's
// name says so.
#pragma once

#include "harness/core/step.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace rows {

/// The largest value of an axis, of one step or (where `step` is empty) of all. Of an axis whose labels name
/// sizes it is the only value, where the axis has it.
struct Cap {
  std::string_view step;
  std::string_view axis;
  std::int64_t most = 0;
};

std::span<const Cap> all_caps();
/// The point with no size above its cap; a cap of the step itself counts before one of all steps.
harness::Point capped(const harness::Step& step, harness::Point point);

}  // namespace rows
