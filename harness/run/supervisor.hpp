// The parent's side of the workers: hands out the rows, and contains whatever happens to a worker.
#pragma once

#include "harness/results/row.hpp"
#include "harness/run/task.hpp"
#include "harness/support/child.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/signals.hpp"

#include <deque>

namespace harness::run {

using Seconds = std::chrono::duration<double>;

/// What is to be done and within which limits: the rehearsal of some rows, or one round. `rows` have their
/// place filled in (name, step, device, ...), in order; `task` is the plan without the rows.
struct WorkerPlan {
  Command worker;
  Task task;
  std::vector<results::Row> rows = {};
  Duration row_timeout{Seconds(300), "5m"};
  std::optional<Seconds> budget = {};  // no row begins later, and none goes on for long
};

/// What the caller wants to hear. Each row of the worker_plan ends once, unless a signal came, nobody wanted
/// the rest or the budget was spent.
struct Reports {
  std::function<void(const std::string& row)> begun;
  std::function<void(results::Row row)> ended;
  std::function<void(const std::string& line)> said;  // what a worker printed
  std::function<bool()> stop;                         // true: nobody wants the rest; asked after each row
  std::function<void(int done, int of)> walked = {};  // passes of a profiled row; empty: not called
};

/// How it went. `signal`: the one that ended it early; then the row in flight is lost.
struct PassOutcome {
  std::optional<int> signal = {};
  int workers = 0;
  results::Disturbance disturbance = {};
};

/// Gives rows to one worker at a time, a new one where the last has died. A row whose worker dies, hangs or
/// talks nonsense is failed, with the reason; the others go on.
class Supervisor {
 public:
  Supervisor(const WorkerPlan& worker_plan, Reports reports, SignalWatch& signals);

  /// Runs all rows; the workers are gone when it returns. Throws BadInput where a worker found the user's
  /// input wrong.
  PassOutcome run();

 private:
  using Time = std::chrono::steady_clock::time_point;
  enum class Next { listen, new_worker, stop };

  void start_worker();
  Next listen();
  void wait_for_news();
  Next hear(const std::string& line);
  Next on(const RowBegun& event);
  Next on(const PassWalked& event) const;
  Next on(const RowEnded& event);
  static Next on(const InputRejected& event);
  Next on(const WorkerEnded& event);
  Next died(const Exit& exit);
  Next fail_first(const std::string& reason);
  void repeat_what_was_said();
  void end_first(results::Row row);
  bool budget_spent() const;
  Seconds time_left() const;

  const WorkerPlan& worker_plan_;
  Reports reports_;
  SignalWatch& signals_;
  std::deque<results::Row> waiting_;
  std::unique_ptr<Child> worker_;
  LineReader events_, said_;
  bool events_open_ = true;
  bool said_open_ = true;
  std::string last_said_;
  bool in_flight_ = false;  // the first waiting row has begun
  int finished_here_ = 0;   // rows that the present worker has finished
  Time begin_, row_begin_;  // of the run; of the row in flight, or of the worker before its first
  PassOutcome outcome_;
};

}  // namespace harness::run
