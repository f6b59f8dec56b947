#include "harness/tune/train_once.hpp"

#include "harness/support/read_text.hpp"

#include <chrono>
#include <optional>
#include <poll.h>
#include <unistd.h>

namespace harness::tune {
namespace {

using Clock = std::chrono::steady_clock;

/// A worker in its training.
class Training {
 public:
  Training(const TrainSetup& setup, const Asked& asked) : setup_(setup), child_(setup.worker) {
    ended_.tried.number = asked.number;
    ended_.tried.settings = asked.settings;
    auto order = setup.order;
    order.settings = asked.settings;
    order.parent = getpid();
    child_.send(run::order_to_json(order));
  }

  Ended run(const std::function<bool(const run::PartTrained&)>& give_up, SignalWatch& signals) {
    while (!over_) {
      wait_for_news(signals);
      if (const auto signal = signals.take()) {
        ended_.signal = signal;
        break;
      }
      hear(give_up);
      if (!over_ && seconds() > setup_.timeout.count()) fail("took longer than " + setup_.timeout_text);
    }
    child_.kill();
    ended_.tried.seconds = seconds();
    return ended_;
  }

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  void wait_for_news(SignalWatch& signals) const {
    pollfd ready[] = {{events_open_ ? child_.events() : -1, POLLIN, 0},
                      {said_open_ ? child_.said() : -1, POLLIN, 0},
                      {signals.fd(), POLLIN, 0}};
    poll(ready, 3, 200);
  }

  void hear(const std::function<bool(const run::PartTrained&)>& give_up) {
    const auto exit = child_.poll();  // before its last words are read
    if (said_open_) said_open_ = said_.read(child_.said());
    while (const auto line = said_.next()) {
      last_said_ = *line;
      setup_.said(*line);
    }
    if (events_open_) events_open_ = events_.read(child_.events());
    while (const auto line = over_ ? std::nullopt : events_.next()) on(*line, give_up);
    if (!over_ && exit)
      fail("the worker " + to_string(*exit) + (last_said_.empty() ? "" : "; it said: " + last_said_));
  }

  void on(const std::string& line, const std::function<bool(const run::PartTrained&)>& give_up) {
    std::optional<run::TrainingEvent> event;
    try {
      event = run::training_event_from_json(line);
    } catch (const BadInput& error) {
      return fail(std::string("the worker said what cannot be understood: ") + error.what());
    }
    if (const auto* part = std::get_if<run::PartTrained>(&*event)) {
      ended_.tried.answer.seconds_per_sample = part->seconds_per_sample;
      if (give_up(*part)) end(State::pruned);
    } else if (const auto* trained = std::get_if<run::Trained>(&*event)) {
      ended_.tried.answer = *trained;
      end(State::complete);
    } else {
      const auto& nothing = std::get<run::NotTrained>(*event);
      if (nothing.why == run::NotTrained::Why::bad_input) throw BadInput(nothing.reason);
      fail(nothing.reason);
    }
  }

  void end(State state) {
    ended_.tried.state = state;
    over_ = true;
  }
  void fail(std::string reason) {
    ended_.tried.answer = {};
    ended_.tried.reason = std::move(reason);
    end(State::failed);
  }

  const TrainSetup& setup_;
  Clock::time_point begin_ = Clock::now();
  Child child_;
  LineReader events_, said_;
  std::string last_said_;
  bool events_open_ = true;
  bool said_open_ = true;
  bool over_ = false;
  Ended ended_;
};

}  // namespace

Ended train_once(const TrainSetup& setup, const Asked& asked,
                 const std::function<bool(const run::PartTrained&)>& give_up, SignalWatch& signals) {
  return Training(setup, asked).run(give_up, signals);
}

}  // namespace harness::tune
