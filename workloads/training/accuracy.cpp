#include "workloads/training/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace workloads::training {
namespace {

using harness::Answer;
using harness::Figure;
using harness::Form;

/// Where a training was after so many seconds of steps.
struct Stage {
  double seconds = 0;
  Score score;
};

/// Two forms of one job.
struct Study {
  Job naive, optimized;
  Switches form;
  std::int64_t steps = 0;
  std::string name = {};  // of the form
  std::optional<LogPlan> log = {};

  Trainer trainer(Form which) const {
    return which == Form::naive ? Trainer(naive, {}) : Trainer(optimized, form);
  }
};

Switches form_of(Learned learned) {
  if (learned == Learned::best) return best();
  auto form = best({&Switches::bf16});
  form.compiled = learned == Learned::bf16_compiled;
  return form;
}

Study study_of(Job job, Learned learned, std::int64_t steps) {
  auto other = job;
  if (learned == Learned::bf16_rate_x10) other.recipe.learning_rate *= 10;
  return {.naive = std::move(job),
          .optimized = std::move(other),
          .form = form_of(learned),
          .steps = steps,
          .name = std::string(learned_labels[static_cast<std::size_t>(learned)])};
}

std::vector<Stage> stages_of(Trainer trainer, std::int64_t steps) {
  constexpr std::int64_t looks = 8;
  std::vector<Stage> stages;
  double seconds = 0;
  for (std::int64_t look = 1; look <= looks; ++look) {
    const auto begin = std::chrono::steady_clock::now();
    for (auto step = steps * (look - 1) / looks; step < steps * look / looks; ++step) trainer.step();
    const auto end = std::chrono::steady_clock::now();
    seconds += std::chrono::duration<double>(end - begin).count();
    stages.push_back({seconds, trainer.validate()});
  }
  return stages;
}

/// The stages of one form, logged where --log asks for it.
std::vector<Stage> stages_of(const Study& study, Form form) {
  const auto name = fmt::format("{}-seed-{}", form == Form::naive ? "naive" : study.name, study.naive.seed);
  const auto log = begin_log(study.log, name, study.naive.device);
  auto trainer = study.trainer(form);
  trainer.log_to(log);
  auto stages = stages_of(std::move(trainer), study.steps);
  if (log) log->close();
  return stages;
}

/// Until the loss was no more than `goal` for the first time; the last stage's where it never was.
double seconds_to(const std::vector<Stage>& stages, double goal) {
  const auto there = std::ranges::find_if(stages, [&](const Stage& at) { return at.score.loss <= goal; });
  return there == stages.end() ? stages.back().seconds : there->seconds;
}

std::vector<Figure> figures_of(const Study& study) {
  const auto naive = stages_of(study, Form::naive);
  const auto other = stages_of(study, Form::optimized);
  const auto end = naive.back().score, other_end = other.back().score;
  const auto goal = std::max(end.loss, other_end.loss);
  std::vector<Figure> figures{{"validation loss", "", end.loss, other_end.loss}};
  if (end.right > 0 || other_end.right > 0)
    figures.push_back({"labels guessed", "%", 100 * end.right, 100 * other_end.right});
  figures.push_back({fmt::format("{} steps", study.steps), "s", naive.back().seconds, other.back().seconds});
  figures.push_back(
      {fmt::format("to a loss of {:.3f}", goal), "s", seconds_to(naive, goal), seconds_to(other, goal)});
  return figures;
}

/// What a round of a row has found out; both sets of a worker hold the same.
using Found = std::shared_ptr<std::optional<std::vector<Figure>>>;

struct Pair {
  Trainer naive, optimized;
  Trainer& of(Form form) { return form == Form::naive ? naive : optimized; }
};

}  // namespace

harness::Trial accuracy_trial(harness::Setup& setup, const harness::Point& point, Job job,
                              std::int64_t steps) {
  job.seed += 1 + static_cast<std::uint64_t>(setup.round);
  const auto learned = static_cast<Learned>(point["form"]);
  const auto key = fmt::format("{}/accuracy/{}", job.name, point["form"]);
  const auto found =
      *setup.shared<Found>(key, [] { return std::make_shared<std::optional<std::vector<Figure>>>(); });
  auto study = study_of(std::move(job), learned, steps);
  study.log = log_plan(setup, study.naive.name);
  const auto pair = std::make_shared<Pair>(Pair{study.trainer(Form::naive), study.trainer(Form::optimized)});
  return {
      .naive = [pair] { pair->naive.step(); },
      .optimized = [pair] { pair->optimized.step(); },
      .clear =
          [pair] {
            pair->naive.restart();
            pair->optimized.restart();
          },
      .answer = [pair](Form form) -> Answer { return std::vector{pair->of(form).losses().at(0)}; },
      .before_slot = [pair](Form form) { pair->of(form).rewind(0); },
      .warm_up = [pair](Form form) { pair->of(form).rehearse(); },
      .figures =
          [study, found] {
            if (!*found) *found = figures_of(study);
            return **found;
          },
      .most_runs = 1,
      .statistic = harness::Statistic::figure,
  };
}

}  // namespace workloads::training
