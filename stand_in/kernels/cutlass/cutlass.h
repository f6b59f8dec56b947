// CUTLASS's own header, behind what CUDA's compiler declares. This folder's are found in front of CUTLASS's.
#pragma once

#include "stand_in/kernels/device_functions.hpp"

inline void __syncthreads() { stand_in::kernels::syncthreads(); }
/// Of layouts that nothing here has: who uses it does not link.
extern const uint3 blockIdx;

#include_next <cutlass/cutlass.h>

namespace cutlass::arch {
inline int LaneId() { return static_cast<int>(stand_in::kernels::lane()); }
}  // namespace cutlass::arch
