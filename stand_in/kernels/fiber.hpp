// What run_grid keeps of a block's threads.
#pragma once

#include "stand_in/kernels/block.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ucontext.h>

namespace stand_in::kernels {

constexpr std::size_t stack_bytes = std::size_t{64} << 10;

/// For the compiler's own setjmp, which saves no more than it must: a kernel's threads switch all the time.
using Jump = std::array<void*, 5>;

/// Threads that wait for each other.
struct Meeting {
  unsigned here = 0, alive = 0;
  std::uint64_t number = 0;
  void pass() {
    here = 0;
    ++number;
  }
  void leave() {
    --alive;
    if (alive > 0 && here == alive) pass();
  }
};

struct Warp {
  Meeting meeting;
  std::array<std::array<std::uint64_t, warp_size>, 2> words{};
};

/// A piece of shared memory, kept for the blocks to come.
struct Shared {
  struct alignas(256) Line {
    char bytes[256];
  };
  const void* key;
  std::unique_ptr<Line[]> memory;
  bool fresh = false;
};

/// A stack that runs threads of a block, one after the other, until one of them waits.
struct Fiber {
  std::unique_ptr<char[]> stack = std::make_unique_for_overwrite<char[]>(stack_bytes);
  ucontext_t start{};
  Jump at{};
  Place place;
  const Meeting* waits_for = nullptr;
  std::uint64_t until = 0;
  bool started = false, done = false;
};

}  // namespace stand_in::kernels
