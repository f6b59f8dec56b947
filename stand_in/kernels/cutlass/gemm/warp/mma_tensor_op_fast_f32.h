// CUTLASS's own header, whose bodies are for a device's compiler only, though no line of them is. With all
// that it includes included before, it is read as that compiler reads it.
#pragma once

#include <cutlass/gemm/warp/mma_tensor_op.h>

#define __CUDA_ARCH__ 800
#include_next <cutlass/gemm/warp/mma_tensor_op_fast_f32.h>
#undef __CUDA_ARCH__
