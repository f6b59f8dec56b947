// What the forms of a row do differently and the model cannot see.
#pragma once

#include "harness/simulate/recording.hpp"

#include <string>

namespace harness::simulate {

/// Why a row says nothing here: its forms give the device the same calls, and differ in calls of the host
/// that have no price in the model. Empty where they do not.
std::string unseen_difference(const RowRecord& row);

/// The row's note, and what the model leaves out of its times.
std::string note_of(const RowRecord& row);

}  // namespace harness::simulate
