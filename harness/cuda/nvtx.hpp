// Ranges for Nsight Systems, in the domain "tuneproof". Where no such tool is loaded they do nothing.
#pragma once

#include <nvtx3/nvtx3.hpp>

namespace harness::inline cuda {

struct NvtxDomain {
  static constexpr char const* name{"tuneproof"};
};

/// Open while it lives.
using NvtxRange = nvtx3::scoped_range_in<NvtxDomain>;

}  // namespace harness::inline cuda
