#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/machine/numa.hpp"
#include "harness/ranks/job_main.hpp"
#include "harness/ranks/job_message.hpp"
#include "harness/ranks/rank_process.hpp"
#include "harness/ranks/team_plan.hpp"
#include "harness/run/job_place.hpp"
#include "harness/support/fd.hpp"
#include "harness/support/terminal.hpp"

#include <c10/util/Exception.h>
#include <c10/util/Logging.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <optional>

namespace harness::ranks {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds for_ever{std::numeric_limits<int>::max()};

/// One process of a job: it has one rank at a time.
class Hand {
 public:
  Hand(const run::JobPlace& launch, Store store)
      : number_(launch.number), store_goes_(!launch.meeting_open), store_(std::move(store)) {
    store_->set(whereabouts_of(number_), whereabouts_to_json({launch.node, cpus_of_this_thread()}));
  }

  /// Until the run is over; gives its exit code.
  int serve() {
    for (;;) {
      const auto message = next();
      if (message.order == Order::over) return take_leave(message.text);
      if (message.order == Order::leave) rank_.reset();
      if (message.order == Order::start) start(call_from_json(message.text));
      if (message.order == Order::request && rank_) {
        rank_->ask(message.text);
        pass_on_reply();
      }
    }
  }

 private:
  JobMessage next() {
    while (!comes(store_, orders_of(number_), for_ever)) continue;
    return job_message_from(store_->queuePop(orders_of(number_), false));
  }

  /// A rank that has just been started joins the others unasked.
  void start(RankCall call) {
    rank_.reset();
    call_ = std::move(call);
    rank_.emplace("/proc/self/exe", call_, no_file_);
    store_->set(started_by(call_.team, number_), std::string("yes"));
    pass_on_reply();
  }

  /// Rank 0 may lose its patience, or its life, before this rank does.
  void pass_on_reply() {
    constexpr milliseconds glance{100};
    const auto until = steady_clock::now() + call_.patience;
    while (!rank_->has_news(std::min(until, steady_clock::now() + glance)) && steady_clock::now() < until)
      if (waits(store_, orders_of(number_))) return rank_.reset();
    const auto text = as_text(rank_->answer(steady_clock::now()));
    store_->queuePush(replies_of(call_.team, number_), {text.begin(), text.end()});
  }

  /// The next run of this job must not meet at the store of this one: it goes before we do.
  int take_leave(const std::string& code) {
    constexpr milliseconds patience{5000};
    rank_.reset();
    store_->set(farewell_of(number_), std::string("yes"));
    try {
      if (store_goes_) comes(store_, "what nobody sends", patience);
    } catch (const c10::Error&) {  // it has gone
    }
    return parse_number<int>(code).value_or(1);
  }

  int number_;
  bool store_goes_;  // with this run
  Store store_;
  Fd no_file_ = nameless_file("tuneproof-ranks");
  RankCall call_;
  std::optional<RankProcess> rank_;
};

int complain(const run::JobPlace& launch, const std::string& sentence) {
  tell(fmt::format("rank {} on {}: {}", launch.number, launch.node, sentence));
  return 1;
}

}  // namespace

int join_meeting(double row_seconds) {
  FLAGS_caffe2_log_level = c10::GLOG_FATAL;  // LibTorch's own words about its store, too
  const auto launch = run::job_place_from(run::environment_variables());
  if (!launch) throw BadInput("this process is not one of a job");
  const auto patience = patience_for(row_seconds);
  const auto whole = reach_store(launch->address, launch->port, patience);
  if (!whole)
    return complain(*launch, fmt::format("found no rank 0 at {}:{} within {:.3g} s", launch->address,
                                         launch->port, std::chrono::duration<double>(patience).count()));
  try {
    return Hand(*launch, part_of(whole, run_prefix(whole, launch->number))).serve();
  } catch (const c10::Error&) {  // all others see the same; one says it
    return launch->number == 1 ? complain(*launch, "rank 0 has ended before its run was over") : 1;
  }
}

}  // namespace harness::ranks
