#include "harness/simulate/paper_device.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace harness::simulate {
namespace {

constexpr std::size_t engines = 4;

}  // namespace

PaperDevice::PaperDevice(const Rules& rules)
    : rules_(rules), unstarted_(engines), free_multiprocessors_(rules.multiprocessors), busy_(engines) {}

std::size_t PaperDevice::place_of(Engine engine) const {
  if (engine == Engine::to_host && rules_.copy_engines == 1) engine = Engine::to_device;
  return static_cast<std::size_t>(engine);
}

std::size_t PaperDevice::add(Given given) {
  const auto& command = given.command;
  if (command.multiprocessors > rules_.multiprocessors)
    throw std::invalid_argument(command.name + " needs more multiprocessors than the device has");
  const auto number = runs_.size();
  lanes_[given.lane].push_back(number);
  unstarted_[place_of(command.engine)].insert(number);
  if (is_of_stream(given.lane)) ++waiting_;
  runs_.push_back({.given = std::move(given)});
  settle();
  return number;
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
  const auto consider = [&](Nanoseconds time) {
    if (time > now_ && (!next || time < *next)) next = time;
  };
  for (const auto number : running_) consider(runs_[number].end);
  for (const auto& [lane, queue] : lanes_) {
    Nanoseconds when = 0;
    if (runs_[queue.front()].state == State::waits && is_ready(runs_[queue.front()], when)) consider(when);
  }
  if (next) now_ = *next;
  return next.has_value();
}

void PaperDevice::settle() {
  while (end_what_is_over() || start_what_can()) {
  }
}

bool PaperDevice::end_what_is_over() {
  bool any = false;
  for (auto at = running_.begin(); at != running_.end();) {
    auto& run = runs_[*at];
    if (run.end > now_) {
      ++at;
      continue;
    }
    run.state = State::ended;
    const auto& command = run.given.command;
    if (command.engine == Engine::multiprocessors)
      free_multiprocessors_ += command.multiprocessors;
    else
      busy_[place_of(command.engine)] = false;
    const auto lane = lanes_.find(run.given.lane);
    lane->second.pop_front();
    if (lane->second.empty()) lanes_.erase(lane);
    lane_ends_[run.given.lane] = run.end;
    at = running_.erase(at);
    any = true;
  }
  return any;
}

/// True if all that it waits for has ended; `when` it could begin then.
bool PaperDevice::is_ready(const Run& run, Nanoseconds& when) const {
  when = run.given.from;
  const auto between = is_of_stream(run.given.lane) ? rules_.gap : rules_.node_gap;
  const auto gap = run.given.command.engine == Engine::none ? 0 : between;
  if (const auto last = lane_ends_.find(run.given.lane); last != lane_ends_.end())
    when = std::max(when, last->second + gap);
  for (const auto number : run.given.after) {
    if (runs_[number].state != State::ended) return false;
    when = std::max(when, runs_[number].end + gap);
  }
  return true;
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
  running_.insert(number);
}

/// Who has been ready longest goes first; on one engine nobody overtakes.
bool PaperDevice::start_what_can() {
  std::vector<std::pair<Nanoseconds, std::size_t>> ready;
  for (const auto& [lane, queue] : lanes_) {
    Nanoseconds when = 0;
    const auto& run = runs_[queue.front()];
    if (run.state == State::waits && is_ready(run, when) && when <= now_)
      ready.emplace_back(when, queue.front());
  }
  std::ranges::sort(ready);
  std::set<std::size_t> full;
  bool any = false;
  for (const auto& [when, number] : ready) {
    const auto place = place_of(runs_[number].given.command.engine);
    if (full.contains(place)) continue;
    if (!fits(number)) {
      if (!rules_.one_queue) full.insert(place);
      continue;
    }
    start(number);
    any = true;
  }
  return any;
}

}  // namespace harness::simulate
