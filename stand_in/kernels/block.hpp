// Runs a kernel's grid on the calling thread: block by block, a block's threads one after the other until
// they meet.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>

namespace stand_in::kernels {

constexpr unsigned warp_size = 32;

/// Where a thread of a kernel stands.
struct Place {
  uint3 thread{}, block{};
  dim3 block_size, grid_size;
  unsigned number = 0;  // of the thread in its block
};

/// The running thread's; null outside of a kernel. Kernels read it all the time, so it is found without a
/// call.
[[gnu::tls_model("initial-exec")]] extern constinit thread_local Place* running_place;
[[noreturn]] void refuse_outside();

/// Runs `thread` for every thread of the grid. The first thread that waits at a barrier keeps its stack, and
/// the block goes on with another one: only kernels whose threads meet pay for that.
void run_grid(dim3 grid, dim3 block, const std::function<void()>& thread);

/// For the thread of a kernel that is running; std::logic_error outside of one.
inline const Place& here() {
  if (running_place == nullptr) refuse_outside();
  return *running_place;
}
/// Waits for all threads of the block that have not returned.
void meet_block();
/// Waits for all threads of the warp that have not returned; the kernel fails where the mask leaves one out.
void meet_warp(unsigned mask);
/// The thread's number in its warp.
inline unsigned lane() { return here().number % warp_size; }
/// 32 words that the warp's threads share; two sets that take turns, so that one meeting an exchange is
/// enough.
std::uint64_t* exchange();
/// Shared memory of the running block, one piece for each key, aligned as asked for (256 at most) and no
/// better, so that a wider access than the declaration promises ends the process. It is 0xff (NaN) the first
/// time that a block asks for it: nothing is left there by the block before.
void* shared_memory(const void* key, std::size_t bytes, std::size_t alignment);

}  // namespace stand_in::kernels
