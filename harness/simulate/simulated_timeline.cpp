#include "harness/simulate/simulated_timeline.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace harness::simulate {
namespace {

// A device that runs what it is given, in simulated time.

/// A command as the device got it.
struct Given {
  Command command;
  int lane = 0;                    // commands of a lane run one after the other
  Nanoseconds from = 0;            // it cannot begin earlier
  std::vector<std::size_t> after;  // numbers of the commands that must have ended
};

class PaperDevice {
 public:
  explicit PaperDevice(const Rules& rules);

  /// Gives the device a command; its number comes back. Time must have come to the call's return.
  std::size_t add(Given given);
  /// Lets time pass until `time`, which has then come.
  void run_until(Nanoseconds time);
  /// Lets time pass until the command has ended; when that was.
  Nanoseconds run_until_ended(std::size_t number);
  /// Lets time pass until fewer than `most` commands of streams wait for their begin; when that was.
  Nanoseconds run_until_fewer_wait(int most);

  const Given& given(std::size_t number) const { return runs_[number].given; }
  Nanoseconds begin(std::size_t number) const { return runs_[number].begin; }
  Nanoseconds end(std::size_t number) const { return runs_[number].end; }
  std::size_t count() const { return runs_.size(); }

 private:
  enum class State { waits, runs, ended };
  struct Run {
    Given given;
    State state = State::waits;
    int pending = 0;                        // commands that have not ended and that it waits for
    Nanoseconds when = 0;                   // it may begin, once nothing is pending
    std::vector<std::size_t> waiters = {};  // commands that wait for this one
    Nanoseconds begin = 0, end = 0;
  };
  using Times = std::set<std::pair<Nanoseconds, std::size_t>>;  // of commands, by their numbers

  static bool is_of_stream(int lane) { return lane >= 0; }
  std::size_t place_of(Engine engine) const;
  Nanoseconds gap_before(const Run& run) const;
  void wait_for(std::size_t number, std::size_t before);
  bool next_event();
  void settle();
  bool end_what_is_over();
  bool start_what_can();
  bool fits(std::size_t number) const;
  void start(std::size_t number);

  const Rules& rules_;
  Nanoseconds now_ = 0;
  std::vector<Run> runs_;
  std::map<int, std::size_t> lasts_;  // of each lane
  Times running_;                     // by their ends
  std::vector<Times> ready_;          // of each engine: those with nothing pending, by when they may begin
  std::vector<std::set<std::size_t>> unstarted_;  // of each engine
  int free_multiprocessors_;
  std::vector<bool> busy_;  // of each engine that takes one command at a time
  int waiting_ = 0;
};

constexpr std::size_t engines = 4;

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

std::string_view api_of(const Command& command) {
  if (command.name.starts_with("Memcpy")) return "cudaMemcpyAsync";
  return command.name.starts_with("Memset") ? "cudaMemsetAsync" : "cudaLaunchKernel";
}

/// The host thread, which gives the device one command after the other.
class Host {
 public:
  Host(const Schedule& schedule, const Rules& rules) : schedule_(schedule), rules_(rules), device_(rules) {}

  Timeline run() {
    for (const auto& call : schedule_.calls) {
      ++call_;
      std::visit([&](const auto& one) { take(one); }, call);
    }
    line_.host_end = line_.end = now_;
    for (std::size_t i = 0; i < device_.count(); ++i) {
      line_.end = std::max(line_.end, device_.run_until_ended(i));
      const auto& command = device_.given(i).command;
      if (command.engine != Engine::none)
        line_.device.push_back({command.name, streams_[i], command.engine, called_[i], device_.begin(i),
                                device_.end(i), calls_[i], command.bytes});
    }
    return std::move(line_);
  }

 private:
  void take(const Compute& call) {
    now_does_ = {.is_operator = call.is_operator};
    spend(call.name, call.lasts, false);
  }

  void take(const Submit& call) {
    const bool is_operator = !call.asker.empty();
    now_does_ = {.api = api_of(call.command), .is_operator = is_operator, .dispatch = call.dispatch};
    const auto& name = is_operator ? call.asker : call.command.name;
    const auto number = give(call.stream, call.command, call.host, {}, name);
    if (call.waits) wait_for(number, name);
  }

  void take(const RecordEvent& call) {
    now_does_ = {.api = "cudaEventRecord"};
    recorded_[call.event] = give(call.stream, {.name = "record event"}, call.host, {});
  }

  void take(const WaitForEvent& call) {
    now_does_ = {.api = "cudaStreamWaitEvent"};
    const auto found = recorded_.find(call.event);
    if (found == recorded_.end()) return spend("wait for event", call.host, false);
    give(call.stream, {.name = "wait for event"}, call.host, {found->second});
  }

  void take(const Synchronize& call) {
    now_does_ = {.api = call.what == Synchronize::For::event    ? "cudaEventSynchronize"
                        : call.what == Synchronize::For::stream ? "cudaStreamSynchronize"
                                                                : "cudaDeviceSynchronize"};
    spend("synchronize", call.host, false);
    std::optional<std::size_t> last;
    if (call.what == Synchronize::For::event) {
      if (const auto found = recorded_.find(call.which); found != recorded_.end()) last = found->second;
    } else if (call.what == Synchronize::For::stream) {
      if (const auto found = last_.find(call.which); found != last_.end()) last = found->second;
    } else {
      return wait_for_all();
    }
    if (last) wait_for(*last, "synchronize");
  }

  void take(const LaunchGraph& call) {
    now_does_ = {.api = "cudaGraphLaunch"};
    const auto first = give(call.stream, {.name = "graph begins"}, call.host, {});
    std::vector<std::size_t> numbers;
    for (const auto& node : call.nodes) {
      std::vector<std::size_t> after{first};
      for (const auto before : node.after) {
        if (before >= numbers.size())
          throw std::invalid_argument("a graph's node waits for itself or a later one");
        after.push_back(numbers[before]);
      }
      numbers.push_back(add(--lane_of_node_, call.stream, node.command, std::move(after)));
    }
    add(call.stream, call.stream, {.name = "graph ends"}, std::move(numbers));
  }

  /// The call, with what the queue's room and the legacy stream ask for.
  std::size_t give(int stream, const Command& command, Nanoseconds host, std::vector<std::size_t> after,
                   const std::string& name = {}) {
    const auto room = device_.run_until_fewer_wait(rules_.queue_length);
    if (room > now_) spend("wait for room in the queue", room - now_, true);
    spend(name.empty() ? command.name : name, host, false);
    if (!schedule_.non_blocking.contains(stream)) hold_up(stream, after);
    return add(stream, stream, command, std::move(after));
  }

  /// What a blocking stream waits for: the legacy one for the last command of each other, these for its.
  /// What came before the legacy stream's last command, that one has waited for.
  void hold_up(int stream, std::vector<std::size_t>& after) {
    if (stream != legacy_stream) {
      since_legacy_.insert(stream);
      if (const auto legacy = last_.find(legacy_stream); legacy != last_.end())
        after.push_back(legacy->second);
      return;
    }
    for (const auto other : std::exchange(since_legacy_, {})) after.push_back(last_.at(other));
  }

  std::size_t add(int lane, int stream, const Command& command, std::vector<std::size_t> after) {
    const auto number = device_.add({command, lane, now_ + rules_.reach, std::move(after)});
    streams_.push_back(stream);
    called_.push_back(now_);
    calls_.push_back(call_);
    if (lane == stream) last_[stream] = number;
    return number;
  }

  void wait_for(std::size_t number, const std::string& name) {
    const auto end = device_.run_until_ended(number) + rules_.wake;
    if (end > now_) spend(name, end - now_, true);
  }

  void wait_for_all() {
    Nanoseconds end = 0;
    for (const auto& [stream, number] : last_) end = std::max(end, device_.run_until_ended(number));
    if (end + rules_.wake > now_ && !last_.empty()) spend("synchronize", end + rules_.wake - now_, true);
  }

  void spend(const std::string& name, Nanoseconds time, bool waits) {
    if (time > 0)
      line_.host.push_back(
          {name, now_, now_ + time, waits, call_, now_does_.api, now_does_.is_operator, now_does_.dispatch});
    now_ += time;
    if (now_ > longest_line) throw std::invalid_argument("the time line is longer than three years");
    device_.run_until(now_);
  }

  const Schedule& schedule_;
  const Rules& rules_;
  PaperDevice device_;
  Nanoseconds now_ = 0;
  std::map<int, std::size_t> last_;      // the last command of each stream
  std::set<int> since_legacy_;           // blocking streams used since the legacy one was
  std::map<int, std::size_t> recorded_;  // the last record of each event
  std::vector<int> streams_;             // of each command
  std::vector<Nanoseconds> called_;
  std::vector<int> calls_;
  int call_ = 0;
  HostSpan now_does_;     // what the spans of the present call have in common
  int lane_of_node_ = 0;  // below 0: no stream's
  Timeline line_;
};

}  // namespace

Timeline play(const Schedule& schedule, const Rules& rules) { return Host(schedule, rules).run(); }

}  // namespace harness::simulate
