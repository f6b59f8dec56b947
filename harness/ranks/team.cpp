#include "harness/ranks/team.hpp"

#include "harness/core/same_answer.hpp"
#include "harness/core/wall_clock.hpp"
#include "harness/libtorch/session.hpp"
#include "harness/ranks/blame.hpp"
#include "harness/ranks/devices.hpp"
#include "harness/ranks/group.hpp"
#include "harness/ranks/place.hpp"
#include "harness/ranks/rank_process.hpp"
#include "harness/run/meeting_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

namespace harness::ranks {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

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

std::optional<Crew> crew_of(const TeamPlan& plan) {
  if (plan.meeting.empty()) return std::nullopt;
  return std::optional<Crew>(std::in_place, plan.meeting, plan.patience);
}

std::vector<std::string> names_of(const TeamPlan& plan, const std::optional<Crew>& crew) {
  std::vector<std::string> names;
  for (int rank = 0; rank < plan.size; ++rank)
    names.push_back(crew ? crew->name_of(rank) : fmt::format("rank {}", rank));
  return names;
}

}  // namespace

Team::Team(const run::StepAt& found, const Setup& setup, const TeamPlan& plan)
    : found_(found),
      row_(row_name(*found.step, found.point, found.device)),
      plan_(plan),
      crew_(crew_of(plan)),
      meeting_(nameless_file("tuneproof-ranks")),
      cpus_(cpus_of_this_thread()),
      own_cpus_(share_of(cpus_, 0, share_of_rank(0).size)),
      names_(names_of(plan, crew_)),
      replies_(names_.size()),
      times_(names_) {
  require_devices(found.device, crew_ ? ranks_beside(crew_->whereabouts()) : plan.size);
  start_others(setup);
  threads_.emplace(own_cpus_);
  Group group;
  together({}, [&] { group = join(own_meeting()); });
  rank_ = std::make_shared<const Rank>(0, plan_.size, std::move(group), cpus_);
}

Share Team::share_of_rank(int rank) const {
  if (crew_) return share_among(crew_->whereabouts(), rank);
  return {.number = rank, .size = plan_.size, .number_on_node = rank};
}

void Team::start_others(const Setup& setup) {
  RankCall call{
      .size = plan_.size, .share = {}, .patience = plan_.patience, .job = job_of(row_, found_, setup)};
  if (crew_) {
    call.meeting = crew_->meeting();
    call.team = crew_->team();
  }
  for (call.number = 1; call.number < plan_.size; ++call.number) {
    call.share = share_of_rank(call.number);
    call.job.device.index = found_.device.index + call.share.number_on_node;  // NCCL wants one for each
    if (crew_) {
      others_.push_back(crew_->start(call));
      continue;
    }
    auto other = std::make_unique<RankProcess>(plan_.executable, call, meeting_);
    processes_.push_back(other->process());
    others_.push_back(std::move(other));
  }
  if (crew_) crew_->require_started();
}

Meeting Team::own_meeting() {
  Meeting meeting{
      .number = 0, .size = plan_.size, .device = found_.device, .patience = plan_.patience, .watch = [this] {
        return somebody_spoke();
      }};
  if (crew_)
    meet_at(meeting, run::meeting_from_json(crew_->meeting()), crew_->team());
  else
    meeting.file = fmt::format("/proc/self/fd/{}", meeting_.get());
  return meeting;
}

void Team::together(const Request& request, const Call& own) {
  if (!broken_.empty()) throw std::runtime_error(broken_);
  for (auto& reply : replies_) reply.end = End::open;
  // Who is gone is noticed where its reply is awaited. A rank that has just been started joins unasked.
  if (rank_)
    for (const auto& other : others_) other->ask(request);
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
  reply = others_[other]->answer(steady_clock::now() + plan_.patience);
  if (reply.end != End::done) give_up("");
}

void Team::leave(const std::string& reason) {
  broken_ = reason;
  others_.clear();  // what waits for them in this process then ends at once
}

void Team::give_up(const std::string& own_reason) {
  constexpr milliseconds grace{1000};
  const auto until = steady_clock::now() + grace;
  for (std::size_t i = 0; i < others_.size(); ++i)
    if (replies_[i + 1].end == End::open) replies_[i + 1] = others_[i]->answer(until);
  if (const auto skipped = std::ranges::find(replies_, End::skipped, &Reply::end);
      skipped != replies_.end()) {
    leave(skipped->why);
    throw Skip(broken_);
  }
  leave(who_broke_it(names_, replies_, own_reason));
  throw std::runtime_error(broken_);
}

bool Team::somebody_spoke() {
  return std::ranges::any_of(others_, [](const auto& other) { return other->has_news(steady_clock::now()); });
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
      throw Disagreement(fmt::format("{} disagrees with {} about the answer of the {} form", names_[i],
                                     names_[0], to_string(request.form)));
  return answer;
}

}  // namespace harness::ranks
