// Runs a kernel's grid on the calling thread: block by block, a block's threads one after the other until
// they meet.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace stand_in::kernels {

/// Where a thread of a kernel stands.
struct Place {
  uint3 thread{}, block{};
  dim3 block_size, grid_size;
};

/// Runs `thread` for every thread of the grid. The first thread that waits at a barrier keeps its stack, and
/// the block goes on with another one: only kernels whose threads meet pay for that.
void run_grid(dim3 grid, dim3 block, const std::function<void()>& thread);

/// For the thread of a kernel that is running; std::logic_error outside of one.
Place& here();
/// Waits for all threads of the block that have not returned.
void meet_block();
/// Waits for all threads of the warp that have not returned; the kernel fails where the mask leaves one out.
void meet_warp(unsigned mask);
/// The thread's number in its warp.
unsigned lane();
/// 32 words that the warp's threads share; two sets that take turns, so that one meeting an exchange is
/// enough.
std::uint64_t* exchange();
/// Fills shared memory with 0xff (NaN) the first time that a block reaches its declaration: nothing is left
/// there by the block before.
void fresh(void* shared, std::size_t bytes);

}  // namespace stand_in::kernels
