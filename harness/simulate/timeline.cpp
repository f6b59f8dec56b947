#include "harness/simulate/timeline.hpp"

#include "harness/simulate/paper_device.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace harness::simulate {
namespace {

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
