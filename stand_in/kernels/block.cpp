#include "stand_in/kernels/block.hpp"

#include "stand_in/runtime.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <ucontext.h>
#include <vector>

namespace stand_in::kernels {
namespace {

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

/// The compiler wants the two halves of a jump in different functions.
[[noreturn, gnu::noinline]] void jump(Jump& to) { __builtin_longjmp(to.data(), 1); }

class Block {
 public:
  Block(dim3 grid, dim3 size, const std::function<void()>& thread)
      : thread_(thread), threads_(size.x * size.y * size.z), warps_((threads_ + warp_size - 1) / warp_size) {
    place_.block_size = size;
    place_.grid_size = grid;
  }

  void run(uint3 at) {
    if (stuck_) return;
    place_.block = at;
    place_.thread = {};
    place_.number = 0;
    all_ = {0, threads_, 0};
    for (auto& shared : shared_) shared.fresh = false;
    for (unsigned w = 0; w < warps_.size(); ++w)
      warps_[w].meeting = {0, std::min(warp_size, threads_ - w * warp_size), 0};
    for (auto& fiber : fibers_) fiber->done = false;
    while (step()) {
    }
  }

  static Block& running() {
    if (now_ == nullptr) refuse_outside();
    return *now_;
  }
  Meeting& all() { return all_; }
  Warp& warp_of_fiber() { return warps_[current_->place.number / warp_size]; }

  void meet(Meeting& meeting) {
    if (++meeting.here == meeting.alive) return meeting.pass();
    Fiber& mine = *current_;
    mine.waits_for = &meeting;
    mine.until = meeting.number + 1;
    if (__builtin_setjmp(mine.at.data()) == 0) jump(home_);
  }

  void* shared(const void* key, std::size_t bytes, std::size_t alignment) {
    auto found = std::ranges::find(shared_, key, &Shared::key);
    if (found == shared_.end()) {
      const auto lines = (alignment + bytes + sizeof(Shared::Line) - 1) / sizeof(Shared::Line);
      shared_.push_back({key, std::make_unique_for_overwrite<Shared::Line[]>(lines)});
      found = shared_.end() - 1;
    }
    auto* const begin = found->memory.get()->bytes + alignment;  // aligned to no more than was asked for
    if (!found->fresh) std::memset(begin, 0xff, bytes);
    found->fresh = true;
    return begin;
  }

  /// Makes the block the one that this thread runs while `work` does.
  template <class Work>
  void with(const Work& work) {
    Block* const before = now_;
    Place* const place = running_place;
    now_ = this;
    work();
    now_ = before;
    running_place = place;
  }

 private:
  static void entry() { running().work(); }
  bool threads_left() const { return place_.number < threads_; }

  /// On a fiber's stack: takes threads until there is none left.
  void work() {
    Fiber& mine = *current_;
    for (;;) {
      while (threads_left()) {
        place_next(mine);
        thread_();
        warps_[mine.place.number / warp_size].meeting.leave();
        all_.leave();
      }
      mine.done = true;
      if (__builtin_setjmp(mine.at.data()) == 0) jump(home_);
    }
  }

  /// Puts the next thread on the fiber.
  void place_next(Fiber& fiber) {
    fiber.place = place_;
    const auto& size = place_.block_size;
    auto& [x, y, z] = place_.thread;
    ++place_.number;
    if (++x < size.x) return;
    x = 0;
    if (++y < size.y) return;
    y = 0;
    ++z;
  }

  /// Runs every fiber that can go on, and new ones while threads are left. False once the block has ended.
  bool step() {
    bool moved = threads_left();
    for (const auto& fiber : fibers_) {
      const bool waits = fiber->waits_for != nullptr && fiber->waits_for->number < fiber->until;
      if (waits || (fiber->done && !threads_left())) continue;
      fiber->done = false;
      resume(*fiber);
      moved = true;
    }
    while (threads_left()) {
      fibers_.push_back(std::make_unique<Fiber>());
      resume(*fibers_.back());
    }
    const bool left = !std::ranges::all_of(fibers_, &Fiber::done);
    if (left && !moved) {
      fail(cudaErrorLaunchFailure, "threads of a block wait for others that never come");
      stuck_ = true;
    }
    return left && moved;
  }

  void resume(Fiber& fiber) {
    current_ = &fiber;
    running_place = &fiber.place;
    fiber.waits_for = nullptr;
    if (__builtin_setjmp(home_.data()) != 0) return;
    if (fiber.started) jump(fiber.at);
    fiber.started = true;
    getcontext(&fiber.start);
    fiber.start.uc_stack.ss_sp = fiber.stack.get();
    fiber.start.uc_stack.ss_size = stack_bytes;
    makecontext(&fiber.start, &Block::entry, 0);
    setcontext(&fiber.start);
  }

  [[gnu::tls_model("initial-exec")]] static constinit thread_local Block* now_;
  const std::function<void()>& thread_;
  unsigned threads_;
  std::vector<Warp> warps_;
  Place place_;  // of the thread that comes next
  bool stuck_ = false;
  Meeting all_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Shared> shared_;
  Fiber* current_ = nullptr;
  Jump home_{};
};

constinit thread_local Block* Block::now_ = nullptr;

}  // namespace

constinit thread_local Place* running_place = nullptr;

void refuse_outside() { throw std::logic_error("stand-in: no kernel is running on this thread"); }

void run_grid(dim3 grid, dim3 block, const std::function<void()>& thread) {
  Block threads(grid, block, thread);
  threads.with([&] {
    uint3 at{};
    for (at.z = 0; at.z < grid.z; ++at.z)
      for (at.y = 0; at.y < grid.y; ++at.y)
        for (at.x = 0; at.x < grid.x; ++at.x) threads.run(at);
  });
}

void meet_block() {
  auto& block = Block::running();
  block.meet(block.all());
}

void meet_warp(unsigned mask) {
  constexpr unsigned whole_warp = ~0U;
  auto& block = Block::running();
  auto& meeting = block.warp_of_fiber().meeting;
  if (mask != whole_warp && static_cast<unsigned>(std::popcount(mask)) < meeting.alive)
    fail(cudaErrorLaunchFailure, "the stand-in knows no shuffle among a part of a warp");
  block.meet(meeting);
}

std::uint64_t* exchange() {
  auto& mine = Block::running().warp_of_fiber();
  return mine.words[mine.meeting.number % 2].data();
}

void* shared_memory(const void* key, std::size_t bytes, std::size_t alignment) {
  return Block::running().shared(key, bytes, alignment);
}

}  // namespace stand_in::kernels
