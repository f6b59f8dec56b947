#include "harness/run/supervisor.hpp"

#include "harness/core/setup.hpp"
#include "harness/run/rounds.hpp"

#include <cerrno>
#include <poll.h>

namespace harness::run {
namespace {

// How often a silent worker is looked at; one that has closed its events and so is about to end; and how long
// a worker that has said its last word may take to exit.
constexpr std::chrono::milliseconds heartbeat{1000};
constexpr std::chrono::milliseconds last_breath{20};
constexpr std::chrono::milliseconds farewell{5000};

/// What the worker measured, at the place that it was asked to measure.
results::Row measured_at(results::Row place, const results::Row& row) {
  place.measured = row.measured;
  place.judged = row.judged;
  place.reason = row.reason;
  place.stage = row.stage;
  place.row_seconds = row.row_seconds;
  place.profile = row.profile;
  return place;
}

}  // namespace

Supervisor::Supervisor(const WorkerPlan& worker_plan, Reports reports, SignalWatch& signals)
    : worker_plan_(worker_plan),
      reports_(std::move(reports)),
      signals_(signals),
      waiting_(worker_plan.rows.begin(), worker_plan.rows.end()),
      begin_(std::chrono::steady_clock::now()) {}

PassOutcome Supervisor::run() {
  while (!waiting_.empty() && !outcome_.signal && !budget_spent()) {
    start_worker();
    auto next = Next::listen;
    while (next == Next::listen) next = listen();
    worker_.reset();  // ends its group
    if (next == Next::stop) break;
  }
  return outcome_;
}

void Supervisor::start_worker() {
  events_ = LineReader();
  said_ = LineReader(4096);
  events_open_ = said_open_ = true;
  last_said_.clear();
  in_flight_ = false;
  finished_here_ = 0;
  worker_ = std::make_unique<Child>(worker_plan_.worker);
  ++outcome_.workers;
  auto task = worker_plan_.task;
  task.parent = getpid();
  task.memory = worker_plan_.worker.memory >= 0;
  task.options["row_timeout"] =
      std::to_string(worker_plan_.row_timeout.time.count());  // whoever waits gives up before us
  task.rows.assign(waiting_.begin(), waiting_.end());
  if (worker_plan_.budget)
    task.budget_seconds = Seconds(*worker_plan_.budget - (std::chrono::steady_clock::now() - begin_)).count();
  worker_->send(task_to_json(task));
  row_begin_ = std::chrono::steady_clock::now();
}

Supervisor::Next Supervisor::listen() {
  wait_for_news();
  outcome_.signal = signals_.take();
  if (outcome_.signal) return Next::stop;
  // Whether it has died is asked before its pipes are read: then what is read is all there will be.
  const auto exit = worker_->poll();
  repeat_what_was_said();
  events_open_ = events_open_ && events_.read(worker_->events());
  while (const auto line = events_.next()) {
    const auto next = hear(*line);
    if (next != Next::listen) return next;
  }
  if (exit) return died(*exit);
  if (time_left().count() > 0) return Next::listen;
  if (std::chrono::steady_clock::now() - row_begin_ < worker_plan_.row_timeout.time)
    return Next::stop;  // the budget
  return fail_first("no result within " + worker_plan_.row_timeout.text);
}

void Supervisor::wait_for_news() {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(time_left());
  const auto time = std::clamp(left + std::chrono::milliseconds(1), std::chrono::milliseconds(0),
                               events_open_ ? heartbeat : last_breath);
  // A stream that has ended is always ready: it would make this loop spin.
  std::array<pollfd, 3> watched{{{signals_.fd(), POLLIN, 0},
                                 {events_open_ ? worker_->events() : -1, POLLIN, 0},
                                 {said_open_ ? worker_->said() : -1, POLLIN, 0}}};
  poll(watched.data(), watched.size(), static_cast<int>(time.count()));
}

Supervisor::Next Supervisor::hear(const std::string& line) {
  std::optional<WorkerEvent> event;
  try {
    event = event_from_json(line);
  } catch (const BadInput& error) {
    return fail_first(std::string("the worker sent an invalid event: ") + error.what());
  }
  return std::visit([this](const auto& which) { return on(which); }, *event);
}

Supervisor::Next Supervisor::on(const RowBegun& event) {
  if (waiting_.empty()) return Next::stop;
  if (in_flight_ || event.row != waiting_.front().name)
    return fail_first("the worker began '" + event.row + "' out of turn");
  in_flight_ = true;
  row_begin_ = std::chrono::steady_clock::now();
  reports_.begun(event.row);
  return Next::listen;
}

Supervisor::Next Supervisor::on(const PassWalked& event) const {
  if (in_flight_ && reports_.walked) reports_.walked(event.done, event.of);
  return Next::listen;
}

Supervisor::Next Supervisor::on(const RowEnded& event) {
  if (waiting_.empty()) return Next::stop;
  if (!in_flight_ || event.row.name != waiting_.front().name)
    return fail_first("the worker ended '" + event.row.name + "' out of turn");
  ++finished_here_;
  end_first(measured_at(waiting_.front(), event.row));
  return reports_.stop() ? Next::stop : Next::listen;
}

Supervisor::Next Supervisor::on(const InputRejected& event) { throw BadInput(event.message); }

Supervisor::Next Supervisor::on(const WorkerEnded& event) {
  results::add(outcome_.disturbance, event.disturbance);
  return died(worker_->wait(farewell).value_or(Exit{}));
}

Supervisor::Next Supervisor::died(const Exit& exit) {
  if (!in_flight_ && waiting_.empty()) return Next::stop;
  // It may stop between two rows: the budget was spent, or its device was lost and a fresh process is needed.
  if (!in_flight_ && exit == Exit{} && (finished_here_ > 0 || budget_spent())) return Next::new_worker;
  auto reason = "the worker " + to_string(exit) + (exit.signal == 0 ? " without a result" : "");
  if (exit.signal == SIGKILL) reason += ", as the kernel does when memory runs out";
  if (!last_said_.empty()) reason += "; it said: " + last_said_;
  return fail_first(reason);
}

void Supervisor::repeat_what_was_said() {
  if (!said_open_) return;
  said_open_ = said_.read(worker_->said());
  const auto repeat = [&](const std::string& line) {
    if (line.empty()) return;
    last_said_ = line.substr(0, 200);
    reports_.said(line);
  };
  while (const auto line = said_.next()) repeat(*line);
  if (!said_open_) repeat(said_.rest());
}

void Supervisor::end_first(results::Row row) {
  in_flight_ = false;
  waiting_.pop_front();
  last_said_.clear();
  row_begin_ = std::chrono::steady_clock::now();
  reports_.ended(std::move(row));
}

Supervisor::Next Supervisor::fail_first(const std::string& reason) {
  auto row = waiting_.front();
  row.judged.verdict = Verdict::failed;
  row.reason = reason;
  row.stage = "worker";
  row.row_seconds = Seconds(std::chrono::steady_clock::now() - row_begin_).count();
  if (!in_flight_) reports_.begun(row.name);
  worker_->kill();
  end_first(std::move(row));
  return Next::new_worker;
}

/// Until the row must have ended: it has a time of its own, and one that is in flight when the budget is
/// spent may still end, but a worker that stands still may not outlast it.
Seconds Supervisor::time_left() const {
  const auto now = std::chrono::steady_clock::now();
  const Seconds of_row = worker_plan_.row_timeout.time - (now - row_begin_);
  if (!worker_plan_.budget) return of_row;
  return std::min<Seconds>(of_row, with_overtime(*worker_plan_.budget) - (now - begin_));
}

bool Supervisor::budget_spent() const {
  return worker_plan_.budget && std::chrono::steady_clock::now() - begin_ >= *worker_plan_.budget;
}

}  // namespace harness::run
