#include "harness/libtorch/torch_surroundings.hpp"

#include "harness/core/median.hpp"
#include "harness/core/same_answer.hpp"
#include "harness/cuda/check.hpp"
#include "harness/libtorch/kineto.hpp"
#include "harness/libtorch/range.hpp"
#include "harness/libtorch/rank.hpp"
#include "harness/libtorch/work_counts.hpp"
#include "harness/worker/surroundings.hpp"

#include <fstream>

namespace harness::inline libtorch {
namespace {

/// One form of a trial and what to record of it.
class RecordedForm {
 public:
  RecordedForm(const Trial& trial, Form form, const run::ProfilePlan& plan, const Device& device)
      : trial_(trial),
        run_(form == Form::naive ? trial.naive : trial.optimized),
        form_(form),
        plan_(plan),
        device_(device) {}

  void drain() const {
    if (device_.is_cuda()) check(cudaDeviceSynchronize());
  }

  /// Seconds of one recorded run, the median. The same runs in the same order whether the profiler is on or
  /// not.
  double walk(std::vector<std::string>* traces) const {
    trial_.clear();
    drain();
    std::vector<double> seconds;
    int number = 0;
    const auto& schedule = plan_.schedule;
    for (int cycle = 0; cycle < schedule.repeat; ++cycle) {
      if (trial_.before_slot) trial_.before_slot(form_);
      run(schedule.wait, number);
      std::optional<Kineto> kineto;
      if (traces != nullptr) kineto.emplace(device_);
      run(schedule.warmup, number);
      drain();
      if (kineto) kineto->start();
      time(seconds, number);
      if (kineto) traces->push_back(save(*kineto, cycle));
    }
    return median(std::move(seconds));
  }

 private:
  /// Each recorded run by itself; on a device, where a mark between two runs would have to wait for it, their
  /// mean.
  void time(std::vector<double>& seconds, int& number) const {
    const int runs = device_.is_cuda() ? plan_.schedule.active : 1;
    for (int done = 0; done < plan_.schedule.active; done += runs) {
      const auto begin = std::chrono::steady_clock::now();
      run(runs, number);
      drain();
      const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin;
      seconds.push_back(used.count() / runs);
    }
  }

  /// Each in a range with the name that PyTorch's tools look for.
  void run(int times, int& number) const {
    for (int i = 0; i < times; ++i) {
      const Range range("ProfilerStep#" + std::to_string(number++));
      run_();
    }
  }

  std::string save(Kineto& kineto, int cycle) const {
    const auto name = std::string(to_string(form_)) + "." + std::to_string(cycle) + ".json";
    const auto file = (std::filesystem::path(plan_.folder) / name).string();
    kineto.save(file);
    return file;
  }

  const Trial& trial_;
  const std::function<void()>& run_;
  Form form_;
  const run::ProfilePlan& plan_;
  Device device_;
};

results::FormProfile profile_of(const RecordedForm& recorded, Form form, const results::Schedule& schedule,
                                const std::function<void()>& pass_done) {
  results::FormProfile profile{.form = form, .runs = schedule.repeat * schedule.active};
  profile.seconds_before = recorded.walk(nullptr);
  pass_done();
  profile.seconds_on = recorded.walk(&profile.traces);
  pass_done();
  profile.seconds_after = recorded.walk(nullptr);
  pass_done();
  return profile;
}

/// See Surroundings::profile.
void profile_into(results::Row& row, const run::StepAt& found, const Trial& trial,
                  const run::ProfilePlan& plan, const worker::Walked& walked) {
  row.measured.statistic = trial.statistic;
  row.stage = "profile";
  const auto drain = [&] { RecordedForm(trial, Form::naive, plan, found.device).drain(); };
  const auto& tolerance = tolerance_on(*found.step, found.device);
  WrongAnswers wrong;
  if (trial.truth)
    count_wrong(trial, tolerance, drain, wrong);
  else
    check_same_answer(trial, tolerance, drain);
  const int walks = 3 * static_cast<int>(plan.forms.size());
  int done = 0;
  results::RowProfile profile{.schedule = plan.schedule, .forms = {}, .figures = {}, .reason = {}};
  for (const auto form : plan.forms)
    profile.forms.push_back(
        profile_of(RecordedForm(trial, form, plan, found.device), form, plan.schedule, [&] {
          if (walked) walked(++done, walks);
        }));
  row.profile = std::move(profile);
  row.stage.clear();
}

std::unique_ptr<worker::Surroundings> open_torch(int threads) {
  return std::make_unique<TorchSurroundings>(threads);
}

Json torch_facts(const Device& device, const BuildInfo& build) {
  auto json = cuda_facts(device, build);
  json["libtorch"] = torch_version();
  json["cpu_capability"] = torch_cpu_capability();
  return json;
}

/// Of one run of the form; nothing where two runs differ: then no count is certain. Nothing either where the
/// form has a profiler on. A run before them makes what later ones keep: gradients, an optimizer's state.
std::optional<WorkCounts> counts_of(const Trial& set, Form form) {
  const auto& run = form == Form::naive ? set.naive : set.optimized;
  const auto counted = [&] {
    if (set.before_slot) set.before_slot(form);
    return count_calls(run);
  };
  if (set.before_slot) set.before_slot(form);
  if (profiles_itself(run)) return std::nullopt;
  const auto counts = counted();
  return counted() == counts ? std::optional(counts) : std::nullopt;
}

void add_counts(const Trial& set, std::vector<Figure>& figures) {
  set.clear();
  std::optional<WorkCounts> naive;
  std::optional<WorkCounts> optimized;
  const bool shared = other_threads_call([&] {
    naive = counts_of(set, Form::naive);
    optimized = counts_of(set, Form::optimized);
  });
  if (shared) return;  // what a loader's workers take over would look like less work
  if (!naive || !optimized || (naive->operators == 0 && optimized->operators == 0)) return;
  const auto add = [&](const char* name, const char* unit, std::int64_t before, std::int64_t after) {
    figures.push_back({name, unit, static_cast<double>(before), static_cast<double>(after)});
  };
  add("operators called", "calls", naive->operators, optimized->operators);
  add("blocks allocated", "calls", naive->allocations, optimized->allocations);
  add("memory allocated", "B", naive->bytes, optimized->bytes);
  const auto add_any = [&](const char* name, const char* unit, std::int64_t WorkCounts::* count) {
    if ((*naive).*count > 0 || (*optimized).*count > 0) add(name, unit, (*naive).*count, (*optimized).*count);
  };
  add_any("copied to the device", "B", &WorkCounts::copied_to_device);
  add_any("copied from the device", "B", &WorkCounts::copied_from_device);
  add_any("copied in one memory", "B", &WorkCounts::copied_within);
  add_any("numbers read", "calls", &WorkCounts::numbers_read);
}

}  // namespace

Measurement TorchSurroundings::measure(const std::array<Trial, 2>& sets, const Setup& setup,
                                       const worker::Order& order) {
  auto measured = CudaSurroundings::measure(sets, setup, order);
  if (order.plan == nullptr) add_counts(sets[0], measured.figures);
  return measured;
}

std::shared_ptr<const void> TorchSurroundings::spacer(const Device& device, Random& random) {
  return harness::spacer(device, random);
}

Fault TorchSurroundings::fault_of(const std::exception& error, const Device& device) {
  return harness::fault_of(error, device);
}

Trial TorchSurroundings::prepare(const run::StepAt& found, Setup& setup) {
  const auto row = row_name(*found.step, found.point, found.device);
  auto team = team_.lock();
  if (!team || team->row() != row) try {
      const Seated nobody(setup, nullptr);
      return found.step->prepare(setup, found.point);
    } catch (const RanksWanted&) {
      team = std::make_shared<Team>(found, setup, plan_of(setup));
      team_ = team;
    }
  return prepare_in(team, setup);
}

std::shared_ptr<const void> TorchSurroundings::watch_host(const std::string& calls) {
  const auto out = std::make_shared<std::ofstream>(calls, std::ios::app);
  return watch_host_operators([out](const HostOperator& done) {
    Json line{{"do", "compute"}, {"name", done.name}, {"operator", true}};
    if (done.bytes > 0) line["bytes"] = done.bytes;
    if (done.fresh > 0) line["fresh"] = done.fresh;
    *out << line.dump() + "\n" << std::flush;  // the device adds its lines to the same file
  });
}

bool TorchSurroundings::profiler_attached() { return harness::profiler_attached(); }

void TorchSurroundings::profile(results::Row& row, const run::StepAt& found, Setup& setup,
                                const run::ProfilePlan& plan, const worker::Walked& walked) {
  setup.stream = torch_.stream_for(found.device);
  row.stage = "setup";
  const auto trial = prepare(found, setup);
  profile_into(row, found, trial, plan, walked);
}

worker::Ground torch_ground() { return {open_torch, torch_facts}; }

}  // namespace harness::inline libtorch
