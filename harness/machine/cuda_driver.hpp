#pragma once

namespace harness::inline machine {

/// False where no CUDA device can be found, since the driver's library is not there. Loads it, and starts
/// nothing.
bool cuda_driver_installed();

}  // namespace harness::inline machine
