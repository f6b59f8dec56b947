// Which CUDA devices the ranks take: rank r the one that lies r behind the row's.
#pragma once

#include "harness/core/setup.hpp"

namespace harness::ranks {

/// Throws Skip where there is not one for each rank, or where NCCL cannot run on them. Of the host anything
/// goes.
void require_devices(const Device& first, int size);

}  // namespace harness::ranks
