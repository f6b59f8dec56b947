#include "harness/simulate/paper_device.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace harness::simulate {
namespace {

constexpr std::size_t engines = 4;

}  // namespace

PaperDevice::PaperDevice(const Rules& rules)
    : rules_(rules),
      ready_(engines),
      unstarted_(engines),
      free_multiprocessors_(rules.multiprocessors),
      busy_(engines) {}

std::size_t PaperDevice::place_of(Engine engine) const {
  if (engine == Engine::to_host && rules_.copy_engines == 1) engine = Engine::to_device;
  return static_cast<std::size_t>(engine);
}

std::size_t PaperDevice::add(Given given) {
  const auto& command = given.command;
  if (command.multiprocessors > rules_.multiprocessors)
    throw std::invalid_argument(command.name + " needs more multiprocessors than the device has");
  const auto number = runs_.size();
  const auto place = place_of(command.engine);
  unstarted_[place].insert(number);
  if (is_of_stream(given.lane)) ++waiting_;
  runs_.push_back({.given = std::move(given)});
  auto& run = runs_.back();
  run.when = run.given.from;
  const auto [last, is_first] = lasts_.try_emplace(run.given.lane, number);
  if (!is_first) wait_for(number, std::exchange(last->second, number));
  for (const auto before : run.given.after) wait_for(number, before);
  if (run.pending == 0) ready_[place].emplace(run.when, number);
  settle();
  return number;
}

Nanoseconds PaperDevice::gap_before(const Run& run) const {
  if (run.given.command.engine == Engine::none) return 0;
  return is_of_stream(run.given.lane) ? rules_.gap : rules_.node_gap;
}

void PaperDevice::wait_for(std::size_t number, std::size_t before) {
  auto& run = runs_[number];
  if (runs_[before].state == State::ended) {
    run.when = std::max(run.when, runs_[before].end + gap_before(run));
    return;
  }
  ++run.pending;
  runs_[before].waiters.push_back(number);
}

void PaperDevice::run_until(Nanoseconds time) {
  while (now_ < time) {
    const auto before = now_;
    if (!next_event() || now_ > time) {
      now_ = std::max(before, time);
      break;
    }
    settle();
  }
  settle();
}

Nanoseconds PaperDevice::run_until_ended(std::size_t number) {
  while (runs_[number].state != State::ended) {
    if (!next_event()) throw std::invalid_argument("a command waits for one that never ends");
    settle();
  }
  return runs_[number].end;
}

Nanoseconds PaperDevice::run_until_fewer_wait(int most) {
  while (waiting_ >= most) {
    if (!next_event()) throw std::invalid_argument("a command waits for one that never ends");
    settle();
  }
  return now_;
}

/// Moves the clock to the next time at which anything can change; false if there is none.
bool PaperDevice::next_event() {
  std::optional<Nanoseconds> next;
  const auto consider = [&](const Times& times) {
    const auto later = times.lower_bound({now_ + 1, 0});
    if (later != times.end() && (!next || later->first < *next)) next = later->first;
  };
  consider(running_);
  for (const auto& ready : ready_) consider(ready);
  if (next) now_ = *next;
  return next.has_value();
}

void PaperDevice::settle() {
  while (end_what_is_over() || start_what_can()) {
  }
}

bool PaperDevice::end_what_is_over() {
  bool any = false;
  while (!running_.empty() && running_.begin()->first <= now_) {
    auto& run = runs_[running_.begin()->second];
    running_.erase(running_.begin());
    run.state = State::ended;
    const auto& command = run.given.command;
    if (command.engine == Engine::multiprocessors)
      free_multiprocessors_ += command.multiprocessors;
    else
      busy_[place_of(command.engine)] = false;
    for (const auto number : run.waiters) {
      auto& waiter = runs_[number];
      waiter.when = std::max(waiter.when, run.end + gap_before(waiter));
      if (--waiter.pending == 0) ready_[place_of(waiter.given.command.engine)].emplace(waiter.when, number);
    }
    any = true;
  }
  return any;
}

bool PaperDevice::fits(std::size_t number) const {
  const auto& command = runs_[number].given.command;
  const auto place = place_of(command.engine);
  if (command.engine == Engine::none) return true;
  if (rules_.one_queue && *unstarted_[place].begin() != number) return false;
  return command.engine == Engine::multiprocessors ? command.multiprocessors <= free_multiprocessors_
                                                   : !busy_[place];
}

void PaperDevice::start(std::size_t number) {
  auto& run = runs_[number];
  const auto& command = run.given.command;
  run.state = State::runs;
  run.begin = now_;
  run.end = now_ + command.lasts;
  if (run.end > longest_line) throw std::invalid_argument("the time line is longer than three years");
  const auto place = place_of(command.engine);
  unstarted_[place].erase(number);
  if (command.engine == Engine::multiprocessors)
    free_multiprocessors_ -= command.multiprocessors;
  else if (command.engine != Engine::none)
    busy_[place] = true;
  if (is_of_stream(run.given.lane)) --waiting_;
  running_.emplace(run.end, number);
}

/// Who has been ready longest goes first; on one engine nobody overtakes.
bool PaperDevice::start_what_can() {
  bool any = false;
  for (auto& ready : ready_)
    for (auto at = ready.begin(); at != ready.end() && at->first <= now_;) {
      if (fits(at->second)) {
        start(at->second);
        at = ready.erase(at);
        any = true;
      } else if (rules_.one_queue) {
        ++at;
      } else {
        break;
      }
    }
  return any;
}

}  // namespace harness::simulate
