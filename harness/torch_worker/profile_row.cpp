#include "harness/torch_worker/profile_row.hpp"

#include "harness/core/median.hpp"
#include "harness/core/same_answer.hpp"
#include "harness/cuda/check.hpp"
#include "harness/libtorch/kineto.hpp"
#include "harness/libtorch/range.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

namespace harness::torch_worker {
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

}  // namespace

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

}  // namespace harness::torch_worker
