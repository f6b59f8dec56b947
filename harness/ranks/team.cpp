#include "harness/ranks/team.hpp"

#include "harness/core/same_answer.hpp"
#include "harness/core/wall_clock.hpp"
#include "harness/libtorch/session.hpp"
#include "harness/loader/channel.hpp"
#include "harness/ranks/blame.hpp"
#include "harness/ranks/devices.hpp"
#include "harness/ranks/group.hpp"
#include "harness/ranks/place.hpp"
#include "harness/ranks/rank_main.hpp"
#include "harness/ranks/seat.hpp"

#include <fmt/format.h>

#include <poll.h>
#include <stdexcept>
#include <sys/time.h>

namespace harness::ranks {
namespace {

using std::chrono::milliseconds;

/// Receiving from the socket gives up after this time.
void set_patience(const Fd& socket, milliseconds patience) {
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(patience).count();
  const timeval time{.tv_sec = us / 1'000'000, .tv_usec = us % 1'000'000};
  if (setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) != 0)
    loader::throw_errno("a rank's socket");
}

run::Job job_of(const std::string& row, const run::StepAt& found, const Setup& setup) {
  run::Job job{.data_seed = setup.seed, .device = found.device, .options = setup.options};
  job.round = setup.round;
  job.loader = setup.loader;
  job.rows.emplace_back().name = row;
  job.rows.back().measured.iterations = 1;
  return job;
}

/// What a row may well end with, on one process too.
bool is_no_trouble(const std::exception& error) {
  return dynamic_cast<const Skip*>(&error) != nullptr || dynamic_cast<const BadInput*>(&error) != nullptr ||
         dynamic_cast<const Disagreement*>(&error) != nullptr;
}

}  // namespace

Team::Team(const run::StepAt& found, const Setup& setup, const TeamPlan& plan)
    : found_(found),
      row_(row_name(*found.step, found.point, found.device)),
      plan_(plan),
      meeting_(nameless_file("tuneproof-ranks")),
      cpus_(cpus_of_this_thread()),
      own_cpus_(share_of(cpus_, 0, plan.size)),
      replies_(static_cast<std::size_t>(plan.size)),
      times_(replies_.size()) {
  require_devices(found.device, plan.size);
  start_others(found, setup);
  threads_.emplace(own_cpus_);
  Group group;
  together({}, [&] {
    group = join({.file = fmt::format("/proc/self/fd/{}", meeting_.get()),
                  .number = 0,
                  .size = plan_.size,
                  .device = found_.device,
                  .patience = plan_.patience,
                  .watch = [this] { require_all_alive(); }});
  });
  rank_ = std::make_shared<const Rank>(0, plan_.size, std::move(group), cpus_);
}

void Team::start_others(const run::StepAt& found, const Setup& setup) {
  auto job = job_of(row_, found, setup);
  others_.reserve(replies_.size());
  for (int number = 1; number < plan_.size; ++number) {
    job.device.index = found.device.index + number;  // each has its own, as NCCL wants it
    const auto arguments = arguments_of({number, plan_.size, plan_.patience, job});
    others_.emplace_back(loader::start_process({plan_.executable, arguments}, meeting_));
    set_patience(others_.back().socket(), plan_.patience);
  }
}

std::vector<pid_t> Team::processes() const {
  std::vector<pid_t> all;
  for (const auto& other : others_) all.push_back(other.process());
  return all;
}

void Team::together(const Request& request, const Call& own) {
  if (!broken_.empty()) throw std::runtime_error(broken_);
  for (auto& reply : replies_) reply.end = End::open;
  // Who is gone is noticed where its reply is awaited. A rank that has just been started joins unasked.
  if (rank_)
    for (const auto& other : others_) loader::send_message(other.socket(), request);
  try {
    own();
  } catch (const std::exception& error) {
    if (!is_no_trouble(error)) give_up(fault_of(error, found_.device).sentence);
    leave(error.what());
    throw;
  }
  for (std::size_t i = 0; i < others_.size(); ++i) await(i);
}

void Team::await(std::size_t other) {
  auto& reply = replies_[other + 1];
  if (!loader::receive_message(others_[other].socket(), reply)) {
    reply.end = End::open;
    give_up("");
  }
  if (reply.end == End::done) return;
  if (reply.end != End::skipped) give_up("");
  leave(reply.why);
  throw Skip(broken_);
}

void Team::leave(const std::string& reason) {
  broken_ = reason;
  others_.clear();  // what waits for them in this process then ends at once
}

void Team::give_up(const std::string& own_reason) {
  leave(who_broke_it(others_, replies_, own_reason, plan_.patience));
  throw std::runtime_error(broken_);
}

void Team::require_all_alive() {
  for (const auto& other : others_) {
    pollfd socket{other.socket().get(), POLLIN, 0};
    if (poll(&socket, 1, 0) > 0) throw std::runtime_error("not all ranks came");
  }
}

void Team::run(const Request& request, const Call& own) {
  together(request, [&] {
    const auto cpu_before = cpu_seconds();
    replies_[0].seconds = host_seconds(own);
    replies_[0].cpu_seconds = cpu_seconds() - cpu_before;
  });
  times_.add(request.form, replies_);
}

Answer Team::answer(const Request& request, const Trial& own) {
  Answer answer;
  together(request, [&] { answer = own.answer(request.form); });
  const auto digest = digest_of(answer);
  for (std::size_t i = 1; i < replies_.size(); ++i)
    if (replies_[i].answer != 0 && replies_[i].answer != digest)
      throw Disagreement(fmt::format("rank {} disagrees with rank 0 about the answer of the {} form", i,
                                     to_string(request.form)));
  return answer;
}

Trial prepare_in(const std::shared_ptr<Team>& team, Setup& setup) {
  const auto made = std::make_shared<Trial>();
  const auto set = team->sets_++;
  team->together({.act = Act::prepare, .set = set}, [&] {
    const Seated seated(setup, team->rank_);
    *made = team->found_.step->prepare(setup, team->found_.point);
  });
  return Team::on_all_ranks(team, set, made);
}

Trial Team::on_all_ranks(const std::shared_ptr<Team>& team, std::int64_t set,
                         const std::shared_ptr<const Trial>& own) {
  const auto all_do = [team, set](Act act, Form form, const Call& mine) {
    team->together({act, form, set}, mine);
  };
  auto trial = *own;
  trial.naive = [team, own, set] { team->run({Act::run, Form::naive, set}, own->naive); };
  trial.optimized = [team, own, set] { team->run({Act::run, Form::optimized, set}, own->optimized); };
  trial.clear = [all_do, own, team] {
    team->times_.clear();
    all_do(Act::clear, Form::naive, own->clear);
  };
  trial.answer = [team, own, set](Form form) { return team->answer({Act::answer, form, set}, *own); };
  if (own->before_slot)
    trial.before_slot = [all_do, own](Form form) {
      all_do(Act::before_slot, form, [&] { own->before_slot(form); });
    };
  if (own->warm_up)
    trial.warm_up = [all_do, own](Form form) { all_do(Act::warm_up, form, [&] { own->warm_up(form); }); };
  trial.figures = [all_do, team, own] {
    std::vector<Figure> all;
    if (own->figures) all_do(Act::figures, Form::naive, [&] { all = own->figures(); });
    for (auto& figure : team->times_.figures()) all.push_back(std::move(figure));
    return all;
  };
  return trial;
}

}  // namespace harness::ranks
