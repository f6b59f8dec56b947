// One sheet of gpus.json, or a file in its form.
#pragma once

#include "harness/machine/device_model.hpp"
#include "harness/support/field.hpp"

#include <string>
#include <string_view>

namespace harness::inline machine {

/// The number of "fp32": [67, "nv_h100"]; 0 where the sheet has none.
double sheet_value(const Field& sheet, std::string_view name);

/// The documents behind the peaks, each once.
std::string sheet_sources(const Field& sheet, const Field& sources);

/// Its peaks, without their source.
DeviceModel read_sheet(const Field& sheet);

}  // namespace harness::inline machine
