// What the machine of a fingerprint is called, for a person.
#pragma once

#include "harness/support/field.hpp"

#include <string>

namespace harness::results {

/// Of `hard.machine`: "AMD EPYC (2 cores)"; "unknown" where it does not say.
std::string cpu_name(const Json& machine);
/// Empty where there is none.
std::string gpu_name(const Json& machine);

}  // namespace harness::results
