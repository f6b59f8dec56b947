// Other processes that work beside what is measured, or rest, on command.
#pragma once

#include "harness/core/setup.hpp"
#include "harness/support/channel.hpp"
#include "harness/support/process_loader.hpp"

#include <csignal>
#include <thread>

namespace microbench {

/// Loader processes whose batches nobody wants. A source for this gives batch 0 at once, to show that the
/// process works, and takes very long over the others. They rest at first. They end with their owner, and
/// where this process dies.
class Neighbours {
 public:
  Neighbours(const harness::BatchSource& source, int count, const std::string& executable) {
    // With 63 batches asked for ahead, a neighbour of a microsecond per byte works for four minutes.
    constexpr std::size_t batch_bytes = 4 << 20;
    constexpr int ahead = 64;
    const harness::ProcessPlan plan{.batches = ahead,
                                    .batch_bytes = batch_bytes,
                                    .workers = 1,
                                    .prefetch = ahead,
                                    .executable = executable};
    for (int i = 0; i < count; ++i)
      loaders_.push_back(std::make_unique<harness::ProcessLoader>(source, plan));
    for (const auto& loader : loaders_) loader->next();  // when all have been started: they start together
    rest();
  }
  Neighbours(const Neighbours&) = delete;
  Neighbours& operator=(const Neighbours&) = delete;

  void work() const { tell(SIGCONT); }
  /// What a neighbour has begun on a device is done as well when this returns.
  void rest() const { tell(SIGSTOP); }
  std::vector<pid_t> processes() const {
    std::vector<pid_t> all;
    for (const auto& loader : loaders_) all.push_back(loader->processes().at(0));
    return all;
  }

 private:
  void tell(int signal) const {
    for (const auto process : processes()) kill(process, signal);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::vector<std::unique_ptr<harness::ProcessLoader>> loaders_;
};

/// Both sets of a row have the same neighbours, since a slot alone must be alone. They go when the sets go.
template <class Make>
std::shared_ptr<Neighbours> neighbours_of_the_row(harness::Setup& setup, const Make& make) {
  struct Shelf {
    mutable std::weak_ptr<Neighbours> neighbours;
  };
  const auto shelf = setup.shared<Shelf>("variability/neighbours", [] { return Shelf{}; });
  auto neighbours = shelf->neighbours.lock();
  if (!neighbours) neighbours = make();
  shelf->neighbours = neighbours;
  return neighbours;
}

}  // namespace microbench
