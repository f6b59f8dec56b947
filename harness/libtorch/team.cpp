#include "harness/libtorch/team.hpp"

#include "harness/core/median.hpp"
#include "harness/core/parse_number.hpp"
#include "harness/core/same_answer.hpp"
#include "harness/core/slot.hpp"

#include <fmt/format.h>

namespace harness::inline libtorch {
namespace {

using std::chrono::milliseconds;

/// A rank that another process of the job has started. That process watches it, and says what becomes of it.
class RankOfJob : public OtherRank {
 public:
  RankOfJob(Store store, const RankCall& call)
      : store_(std::move(store)),
        orders_(orders_of(call.number)),
        replies_(replies_of(call.team, call.number)) {
    send({Order::start, call_to_json(call)});
  }
  ~RankOfJob() override {
    try {
      send({Order::leave});
    } catch (const std::exception&) {  // the store is gone, and that process with it
    }
  }

  void ask(std::string_view message) override { send({Order::request, std::string(message)}); }
  bool has_news(Time until) override {
    const auto left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now());
    return left.count() > 0 ? comes(store_, replies_, left) : waits(store_, replies_);
  }
  Reply answer(Time until) override {
    constexpr milliseconds way{2000};  // of what that process says when its own patience has ended
    if (!has_news(until + way)) return reply_of(End::silent, "did not answer");
    const auto bytes = store_->queuePop(replies_, false);
    return reply_from({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

 private:
  void send(const JobMessage& message) { store_->queuePush(orders_, to_bytes(message)); }

  Store store_;
  std::string orders_, replies_;
};

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

JobProcesses::JobProcesses(const std::string& meeting, milliseconds patience)
    : meeting_(meeting), patience_(patience) {
  const auto place = run::meeting_from_json(meeting);
  const auto whole = reach_store(place.address, place.port, patience);
  if (!whole)
    throw BadInput(fmt::format("nobody listens any more at {}:{}, where this job's processes have met",
                               place.address, place.port));
  store_ = part_of(whole, place.prefix);
  team_ = fmt::format("team/{}", store_->add("teams", 1));
  for (int rank = 0; std::cmp_less(rank, place.nodes.size()); ++rank)
    all_.push_back(whereabouts_from_json(store_->get_to_str(whereabouts_of(rank))));
}

std::string JobProcesses::name_of(int rank) const {
  return fmt::format("rank {} on {}", rank, all_[static_cast<std::size_t>(rank)].node);
}

std::unique_ptr<OtherRank> JobProcesses::start(const RankCall& call) const {
  return std::make_unique<RankOfJob>(store_, call);
}

void JobProcesses::require_started() const {
  const auto until = std::chrono::steady_clock::now() + patience_;
  for (int rank = 1; rank < size(); ++rank) {
    const auto left = std::chrono::ceil<milliseconds>(until - std::chrono::steady_clock::now());
    if (!comes(store_, started_by(team_, rank), left))
      throw BadInput(fmt::format("{} has not answered for {:.3g} s: its process has ended or hangs",
                                 name_of(rank), std::chrono::duration<double>(patience_).count()));
  }
}

RankTimes::RankTimes(std::vector<std::string> names) : names_(std::move(names)) {
  for (auto& form : forms_) form.resize(names_.size());
}

void RankTimes::add(Form form, std::span<const Reply> replies) {
  auto& ranks = forms_[form == Form::naive ? 0 : 1];
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    ranks[i].seconds.push_back(replies[i].seconds);
    ranks[i].cpu_seconds.push_back(replies[i].cpu_seconds);
  }
}

void RankTimes::clear() {
  for (auto& form : forms_)
    for (auto& times : form) times = {};
}

std::vector<Figure> RankTimes::figures() const {
  std::vector<Figure> all;
  const auto add = [&](const char* what, std::size_t rank, std::vector<double> Times::* values) {
    const auto& naive = forms_[0][rank].*values;
    const auto& optimized = forms_[1][rank].*values;
    if (!naive.empty() && !optimized.empty())
      all.push_back({fmt::format("{}, {}", names_[rank], what), "s", median(naive), median(optimized)});
  };
  for (std::size_t rank = 0; rank < forms_[0].size(); ++rank) {
    add("time of a run", rank, &Times::seconds);
    add("CPU time of a run", rank, &Times::cpu_seconds);
  }
  return all;
}

std::chrono::milliseconds patience_for(double row_seconds) {
  constexpr std::chrono::milliseconds least{100}, most{60'000};
  const std::chrono::milliseconds third(static_cast<std::int64_t>(row_seconds * 1000 / 3));
  return std::clamp(third, least, most);
}

TeamPlan plan_of(const Setup& setup) {
  constexpr double otherwise = 300;
  TeamPlan plan;
  plan.size = run::rank_count(setup.options);
  plan.patience =
      patience_for(parse_number<double>(setup.option(std::string(row_timeout), "")).value_or(otherwise));
  plan.meeting = setup.option(run::meeting_option, "");
  if (!plan.meeting.empty()) plan.size = static_cast<int>(run::meeting_from_json(plan.meeting).nodes.size());
  return plan;
}

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
      throw Disagreement(fmt::format("{} disagrees with {} about the answer of the {} side", names[i],
                                     names[0], request.form == Form::naive ? "first" : "second"));
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

}  // namespace harness::inline libtorch
