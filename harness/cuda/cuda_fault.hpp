// What failed on a device, in the words of the results file.
#pragma once

#include "harness/core/measurement.hpp"

namespace harness::inline cuda {

/// Of an exception that LibTorch has not thrown.
Fault device_fault(const std::exception& error, const Device& device);

/// The device has too little memory: "needs 20.0 GiB, 13.1 GiB free".
Fault device_memory_fault(const std::string& needs);

}  // namespace harness::inline cuda
