#include "harness/programs/room.hpp"

#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace harness::programs {
namespace {

constexpr double reserve = 1.1;  // rounds differ
constexpr int fewest_steps = 20;

/// Of a training: after how many steps it would have to be ended, or why that would not do.
std::string shorter_runs(const Room& room, const Plan& plan) {
  if (plan.metric != Metric::step || room.step <= 0) return {};
  const auto begin = room.run - room.steps;  // and end: what --steps does not shorten
  const auto run = room.run * std::max(room.left, 0.0) / (reserve * room.needed * room.round);
  const auto steps = std::floor((run - begin) / room.step);
  if (steps >= fewest_steps) return fmt::format(", or --steps {:.0f} ends each training earlier", steps);
  return fmt::format("; of a run's {}, {} are no steps, and --steps does not shorten them",
                     time_text(room.run), time_text(begin));
}

}  // namespace

std::string room_text(const Room& room, const Plan& plan) {
  if (room.needed * room.round <= room.left) return {};
  const auto rounds = static_cast<int>(std::max(room.left, 0.0) / room.round);
  return fmt::format(
      "a round takes about {} where runs are as slow as the warm-up: the budget has room for {} of the {} "
      "that a plain difference takes; --budget {:.0f}s has room for them{}",
      time_text(room.round), rounds == 0 ? "none" : fmt::to_string(rounds), room.needed,
      std::ceil(room.spent + reserve * room.needed * room.round), shorter_runs(room, plan));
}

std::string open_text(const Room& room, const Plan& plan) {
  if (plan.metric == Metric::instructions || room.open * room.round <= room.left) return {};
  return fmt::format(
      "the budget has room for about {} rounds: {} are enough for a plain difference, and commands that are "
      "nearly equal take {}; --budget {:.0f}s has room for them",
      static_cast<int>(room.left / room.round), room.needed, room.open,
      std::ceil(room.spent + reserve * room.open * room.round));
}

std::string start_text(const Room& room, const Plan& plan) {
  constexpr double enough = 0.25;  // of a run
  if (plan.metric != Metric::step || room.step <= 0 || room.steps >= enough * room.run) return {};
  const auto begin = room.run - room.steps;
  const auto steps = 10 * std::ceil(begin / room.step / 10);
  return fmt::format(
      "of a run's {}, only {} are steps that count ({:.0f} of {}): so few scatter, and the time goes into "
      "starts; {} makes half of a run steps{}",
      time_text(room.run), time_text(room.steps), room.steps / room.step, time_text(room.step),
      plan.steps > 0 ? fmt::format("--steps {:.0f}", steps)
                     : fmt::format("a training of {:.0f} steps", steps),
      plan.steps > 0 ? ", if the training has so many" : "");
}

}  // namespace harness::programs
