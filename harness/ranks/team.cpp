#include "harness/ranks/team.hpp"

#include "harness/core/same_answer.hpp"
#include "harness/core/wall_clock.hpp"
#include "harness/ranks/devices.hpp"
#include "harness/ranks/place.hpp"
#include "harness/ranks/process_group.hpp"
#include "harness/ranks/rank_process.hpp"
#include "harness/run/meeting_place.hpp"

#include <fmt/format.h>

#include <utility>

namespace harness::ranks {
namespace {

run::Task task_of(const std::string& row, const run::StepAt& found, const Setup& setup) {
  run::Task task{.data_seed = setup.seed, .device = found.device, .options = setup.options};
  task.round = setup.round;
  task.loader = setup.loader;
  task.rows.emplace_back().name = row;
  task.rows.back().measured.iterations = 1;
  return task;
}

std::optional<JobProcesses> job_of(const TeamPlan& plan) {
  if (plan.meeting.empty()) return std::nullopt;
  return std::optional<JobProcesses>(std::in_place, plan.meeting, plan.patience);
}

std::vector<std::string> names_of(const TeamPlan& plan, const std::optional<JobProcesses>& job) {
  if (!job) return rank_names(plan.size);
  std::vector<std::string> names;
  for (int rank = 0; rank < plan.size; ++rank) names.push_back(job->name_of(rank));
  return names;
}

}  // namespace

Team::Team(const run::StepAt& found, const Setup& setup, const TeamPlan& plan)
    : found_(found),
      row_(row_name(*found.step, found.point, found.device)),
      plan_(plan),
      job_(job_of(plan)),
      meeting_(nameless_file("tuneproof-ranks")),
      cpus_(cpus_of_this_thread()),
      own_cpus_(share_of(cpus_, 0, share_of_rank(0).size)),
      others_(names_of(plan, job_), found.device, plan.patience),
      times_(others_.names()) {
  require_devices(found.device, job_ ? ranks_beside(job_->whereabouts()) : plan.size);
  start_others(setup);
  threads_.emplace(own_cpus_);
  Group group;
  together({}, [&] { group = join(own_meeting()); });
  rank_ = std::make_shared<const Rank>(0, plan_.size, std::move(group), cpus_);
}

Share Team::share_of_rank(int rank) const {
  if (job_) return share_among(job_->whereabouts(), rank);
  return {.number = rank, .size = plan_.size, .number_on_node = rank};
}

void Team::start_others(const Setup& setup) {
  RankCall call{
      .size = plan_.size, .share = {}, .patience = plan_.patience, .task = task_of(row_, found_, setup)};
  if (job_) {
    call.meeting = job_->meeting();
    call.team = job_->team();
  }
  for (call.number = 1; call.number < plan_.size; ++call.number) {
    call.share = share_of_rank(call.number);
    call.task.device.index = found_.device.index + call.share.number_on_node;  // NCCL wants one for each
    if (job_) {
      others_.add(job_->start(call));
      continue;
    }
    auto other = std::make_unique<RankProcess>(plan_.executable, call, meeting_);
    processes_.push_back(other->process());
    others_.add(std::move(other));
  }
  if (job_) job_->require_started();
}

Meeting Team::own_meeting() {
  Meeting meeting{
      .number = 0, .size = plan_.size, .device = found_.device, .patience = plan_.patience, .watch = [this] {
        return others_.somebody_spoke();
      }};
  if (job_)
    meet_at(meeting, run::meeting_from_json(job_->meeting()), job_->team());
  else
    meeting.file = fmt::format("/proc/self/fd/{}", meeting_.get());
  return meeting;
}

void Team::together(const Request& request, const Call& own) {
  others_.together(rank_ ? as_text(request) : std::string(), own);
}

void Team::run(const Request& request, const Call& own) {
  together(request, [&] {
    auto& reply = others_.replies()[0];
    const auto cpu_before = cpu_seconds();
    reply.seconds = host_seconds(own);
    reply.cpu_seconds = cpu_seconds() - cpu_before;
  });
  times_.add(request.form, others_.replies());
}

Answer Team::answer(const Request& request, const Trial& own) {
  Answer answer;
  together(request, [&] { answer = own.answer(request.form); });
  const auto digest = digest_of(answer);
  const auto& names = others_.names();
  const auto& replies = others_.replies();
  for (std::size_t i = 1; i < replies.size(); ++i)
    if (replies[i].answer != 0 && replies[i].answer != digest)
      throw Disagreement(fmt::format("{} disagrees with {} about the answer of the {} form", names[i],
                                     names[0], to_string(request.form)));
  return answer;
}

}  // namespace harness::ranks
