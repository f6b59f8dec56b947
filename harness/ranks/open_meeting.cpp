#include "harness/core/fault.hpp"
#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/libtorch/quiet.hpp"
#include "harness/machine/numa.hpp"
#include "harness/ranks/job_main.hpp"
#include "harness/ranks/job_message.hpp"
#include "harness/ranks/team_plan.hpp"
#include "harness/ranks/whereabouts.hpp"
#include "harness/run/job_place.hpp"
#include "harness/run/meeting_place.hpp"
#include "harness/support/field.hpp"

#include <c10/util/Exception.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <sys/prctl.h>
#include <unistd.h>
#include <vector>

namespace harness::ranks {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

milliseconds left_until(steady_clock::time_point until) {
  return std::chrono::ceil<milliseconds>(until - steady_clock::now());
}

/// Rank 0's side of a meeting.
class Host {
 public:
  Host(run::JobPlace launch, milliseconds patience) : launch_(std::move(launch)), patience_(patience) {
    const auto until = steady_clock::now() + patience;
    const auto whole = launch_.meeting_open ? reach_store(launch_.address, launch_.port, patience)
                                            : open_store(launch_.address, launch_.port, patience);
    if (!whole)
      throw BadInput(
          fmt::format("nobody listens at MASTER_ADDR and MASTER_PORT, {}:{}", launch_.address, launch_.port));
    place_ = {.address = launch_.address,
              .port = launch_.port,
              .prefix = run_prefix(whole, 0),
              .nodes = {launch_.node}};
    store_ = part_of(whole, place_.prefix);
    store_->set(whereabouts_of(0), whereabouts_to_json({launch_.node, cpus_of_this_thread()}));
    wait_for_all(until);
  }

  /// Which of the others have not come, as a sentence; empty where all have.
  std::string who_is_missing() const {
    if (missing_.empty()) return {};
    const auto planned = run::planned_nodes(run::environment_variables(), launch_.size);
    std::vector<std::string> names;
    for (const auto rank : missing_)
      names.push_back(fmt::format("rank {}{}", rank,
                                  planned.empty() ? "" : " on " + planned[static_cast<std::size_t>(rank)]));
    return fmt::format("{} did not come within {:.3g} s", fmt::join(names, ", "),
                       std::chrono::duration<double>(patience_).count());
  }
  const run::MeetingPlace& place() const { return place_; }

  /// Returns when those who have come know it, or take too long.
  void end(int code) {
    constexpr milliseconds patience{5000};
    for (const auto rank : here_)
      store_->queuePush(orders_of(rank), to_bytes({Order::over, std::to_string(code)}));
    const auto until = steady_clock::now() + patience;
    for (const auto rank : here_) comes(store_, farewell_of(rank), left_until(until));
  }

 private:
  void wait_for_all(steady_clock::time_point until) {
    for (int rank = 1; rank < launch_.size; ++rank) {
      if (!comes(store_, whereabouts_of(rank), left_until(until))) {
        missing_.push_back(rank);
        continue;
      }
      here_.push_back(rank);
      place_.nodes.push_back(whereabouts_from_json(store_->get_to_str(whereabouts_of(rank))).node);
    }
  }

  run::JobPlace launch_;
  milliseconds patience_;
  Store store_;
  run::MeetingPlace place_;
  std::vector<int> here_, missing_;  // of the other ranks
};

void say(const std::string& line) {
  std::puts(line.c_str());
  std::fflush(stdout);
}

void say_error(const std::string& sentence) {
  say(Json{{"error", first_line(sentence)}}.dump(-1, ' ', false, Json::error_handler_t::replace));
}

int exit_code_heard() {
  std::string line;
  std::getline(std::cin, line);
  return parse_number<int>(line).value_or(1);
}

}  // namespace

int open_meeting(double row_seconds, int program) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != program) return 1;
  // What else ends the program is the program's to say.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  const Quiet quiet;
  try {
    const auto launch = run::job_place_from(run::environment_variables());
    if (!launch) throw BadInput("this process is not one of a job");
    Host host(*launch, patience_for(row_seconds));
    const auto missing = host.who_is_missing();
    if (missing.empty())
      say(Json{{"meeting", run::meeting_to_json(host.place())}}.dump());
    else
      say_error(missing);
    host.end(missing.empty() ? exit_code_heard() : 1);
    say("");
    return 0;
  } catch (const c10::Error& error) {
    say_error(error.what_without_backtrace());
  } catch (const std::exception& error) {
    say_error(host_fault(error, {}).sentence);
  }
  return 1;
}

}  // namespace harness::ranks
