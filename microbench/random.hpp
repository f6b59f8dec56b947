// Random numbers on the device that a step runs on, the same for the same seed.
#pragma once

#include "harness/core/setup.hpp"

#include <ATen/core/Generator.h>

namespace microbench {

/// A generator of the setup's device, seeded with the setup's seed.
at::Generator generator_of(const harness::Setup& setup);

}  // namespace microbench
