// What it costs to wake another thread and to hear from it, to start one, and to start a process.
#include "harness/support/fd.hpp"

#include "prices/price_row.hpp"
#include "prices/priced_machine.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>

namespace prices {
namespace {

/// Answers each call: wakes by a condition variable, both ways.
class ByCondition {
 public:
  ~ByCondition() {
    pass(end);
    thread_.join();
  }
  void call() {
    pass(theirs);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return turn_ == ours; });
  }

 private:
  enum Turn { ours, theirs, end };
  void pass(Turn turn) {
    {
      const std::lock_guard lock(mutex_);
      turn_ = turn;
    }
    changed_.notify_one();
  }
  void serve() {
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return turn_ != ours; });
        if (turn_ == end) return;
      }
      pass(ours);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  Turn turn_ = ours;
  std::thread thread_{[this] { serve(); }};
};

/// A byte there and a byte back, through two pipes.
class ByPipe {
 public:
  ~ByPipe() {
    there_.write_end.close();
    thread_.join();
  }
  void call() {
    char byte = 1;
    if (write(there_.write_end.get(), &byte, 1) != 1 || read(back_.read_end.get(), &byte, 1) != 1)
      throw std::system_error(errno, std::generic_category(), "pipe");
  }

 private:
  void serve() {
    for (char byte = 0; read(there_.read_end.get(), &byte, 1) == 1;)
      if (write(back_.write_end.get(), &byte, 1) != 1) return;
  }

  harness::Pipe there_, back_;
  std::thread thread_{[this] { serve(); }};
};

/// Both sides look again and again, and never sleep.
class BySpinning {
 public:
  ~BySpinning() {
    turn_ = 2;
    thread_.join();
  }
  void call() {
    turn_ = 1;
    while (turn_ == 1) continue;
  }

 private:
  void serve() {
    for (;;) {
      const int turn = turn_;
      if (turn == 2) return;
      if (turn == 1) turn_ = 0;
    }
  }

  std::atomic<int> turn_{0};
  std::thread thread_{[this] { serve(); }};
};

template <class Other>
void wake_row(benchmark::State& state) {
  Other other;
  for (auto _ : state) other.call();
}

void start_row(benchmark::State& state) {
  for (auto _ : state) std::thread([] {}).join();
}

/// Waits for the child; throws unless it ended well.
void join(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
  if (status != 0) throw std::runtime_error("the started process failed");
}

void spawn_row(benchmark::State& state, std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  for (auto _ : state) {
    pid_t child = -1;
    const int error = posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
    if (error != 0) throw std::system_error(error, std::generic_category(), words[0]);
    join(child);
  }
}

/// A copy of this process, with LibTorch and all it holds, that ends at once.
void fork_row(benchmark::State& state) {
  for (auto _ : state) {
    const auto child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child == 0) _exit(0);
    join(child);
  }
}

}  // namespace

void add_threads(const Machine&) {
  add("prices/thread/wake/condition", Clock::host, wake_row<ByCondition>);
  add("prices/thread/wake/pipe", Clock::host, wake_row<ByPipe>);
  // Without a second processor each would look for its whole time slice.
  if (std::thread::hardware_concurrency() > 1)
    add("prices/thread/wake/spinning", Clock::host, wake_row<BySpinning>);
  add("prices/thread/start", Clock::host, start_row);
  add("prices/process/start/true", Clock::host, [](auto& state) { spawn_row(state, {"true"}); });
  add("prices/process/start/fork", Clock::host, fork_row);
  add("prices/process/start/worker", Clock::host,
      [](auto& state) { spawn_row(state, {"/proc/self/exe", "--prices", "--end"}); });
}

}  // namespace prices
