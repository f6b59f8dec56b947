#include "tests/harness/results/records.hpp"

#include "harness/results/event_records.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/scratch_folder.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <thread>

namespace {

using namespace harness::results;
using harness::ScratchFolder;

std::function<double()> number(double value) {
  return [value] { return value; };
}

TEST_CASE("all that was handed over is in the file when the log is closed, in order", "[tensorboard]") {
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  ScalarLog log(scratch.path(), 3);
  constexpr int steps = 200;
  for (int step = 0; step < steps; ++step) log.put(step, {{"loss", number(step)}, {"rate", number(1)}});
  log.close();
  const auto events = events_of(harness::read_text(log.path(), 1 << 20));
  REQUIRE(events.size() == 1 + 2 * steps);
  for (int step = 0; step < steps; ++step) {
    const auto loss = raw(static_cast<float>(step));
    CHECK(events[static_cast<std::size_t>(1 + 2 * step)].ends_with(loss));
  }
}

TEST_CASE("numbers are asked for on the writer's thread", "[tensorboard]") {
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  ScalarLog log(scratch.path());
  std::thread::id asked;
  log.put(0, {{"loss", [&] {
                 asked = std::this_thread::get_id();
                 return 0.;
               }}});
  log.close();
  CHECK(asked != std::thread::id());
  CHECK(asked != std::this_thread::get_id());
}

/// Counts how many steps are held at once: one for each copy of `held` that still lives.
TEST_CASE("no more steps wait than the log has room for", "[tensorboard]") {
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  constexpr std::size_t room = 4;
  constexpr int steps = 2000;
  const auto held = std::make_shared<int>(0);
  std::atomic<int> handed_over = 0;
  long most = 0;
  ScalarLog log(scratch.path(), room);
  for (int step = 0; step < steps; ++step) {
    log.put(step, {{"loss", [held = held, step, &handed_over, &most] {
                      // The first waits until the room is full; then all others must have waited for it.
                      for (int n = handed_over; step == 0 && n <= static_cast<int>(room); n = handed_over)
                        handed_over.wait(n);
                      most = std::max(most, held.use_count());
                      return 0.;
                    }}});
    ++handed_over;
    handed_over.notify_all();
  }
  log.close();
  CHECK(most >= 1 + static_cast<long>(room));  // the room was full
  CHECK(most <= static_cast<long>(room) + 8);  // with that being written, and copies in the hand
}

TEST_CASE("what the writer meets reaches the training at its next step or at the end", "[tensorboard]") {
  const ScratchFolder scratch(std::filesystem::temp_directory_path());
  ScalarLog log(scratch.path());
  log.put(0, {{"loss", []() -> double { throw std::runtime_error("no loss"); }}});
  CHECK_THROWS_AS(log.close(), std::runtime_error);
}

}  // namespace
