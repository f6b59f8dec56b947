// A device that runs what it is given, in simulated time.
#pragma once

#include "harness/simulate/schedule.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace harness::simulate {

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

}  // namespace harness::simulate
