#include "workloads/training/accuracy.hpp"

#include "workloads/training/trial.hpp"

#include <cmath>

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

using Stages = std::vector<Stage>;

/// The stages of a training, once somebody has asked for them.
using Found = std::shared_ptr<std::optional<Stages>>;

/// A form that learns.
struct LearningForm {
  Job job;
  Switches form;
  std::int64_t steps = 0;
  std::string name = {};  // of the form
  std::optional<LogPlan> log = {};
  Found found = {};
};

Switches form_of(Learned learned) {
  if (learned == Learned::best) return best();
  auto form = best({&Switches::bf16});
  form.compiled = learned == Learned::bf16_compiled;
  return form;
}

Stages stages_of(Trainer trainer, std::int64_t steps) {
  constexpr std::int64_t looks = 8;
  Stages stages;
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

/// The stages of a form, trained where nobody has asked before and logged where --log asks for it.
const Stages& stages_of(const LearningForm& learning) {
  if (*learning.found) return **learning.found;
  const auto log = begin_log(learning.log, fmt::format("{}-seed-{}", learning.name, learning.job.seed),
                             learning.job.device);
  Trainer trainer(learning.job, learning.form);
  trainer.log_to(log);
  *learning.found = stages_of(std::move(trainer), learning.steps);
  if (log) log->close();
  return **learning.found;
}

/// Throws std::runtime_error where the training has diverged.
Score end_of(const LearningForm& learning) {
  const auto score = stages_of(learning).back().score;
  if (!std::isfinite(score.loss))
    throw std::runtime_error(fmt::format("{}, seed {}: after {} steps the loss is not finite", learning.name,
                                         learning.job.seed, learning.steps));
  return score;
}

/// Until the loss was no more than `goal` for the first time; the last stage's where it never was.
double seconds_to(const Stages& stages, double goal) {
  const auto there = std::ranges::find_if(stages, [&](const Stage& at) { return at.score.loss <= goal; });
  return there == stages.end() ? stages.back().seconds : there->seconds;
}

/// Guesses for one right label: fewer are better. Where none was right, as if one sample had been.
double guesses(const Score& score, std::int64_t samples) {
  return 1 / std::max(score.right, 1 / static_cast<double>(samples));
}

/// What both forms know at their end, what is judged first.
std::vector<Figure> ends_of(const Score& naive, const Score& other, Judged judged, std::int64_t samples) {
  std::vector<Figure> figures{{"validation loss", "", naive.loss, other.loss}};
  if (naive.right > 0 || other.right > 0)
    figures.push_back({"labels guessed right", "%", 100 * naive.right, 100 * other.right});
  if (judged == Judged::labels)
    figures.insert(figures.begin(),
                   {"guesses for a right label", "", guesses(naive, samples), guesses(other, samples)});
  return figures;
}

std::vector<Figure> figures_of(const LearningForm& naive_form, const LearningForm& other_form,
                               Judged judged) {
  const auto end = end_of(naive_form), other_end = end_of(other_form);
  const auto& naive = stages_of(naive_form);
  const auto& other = stages_of(other_form);
  const auto goal = std::max(end.loss, other_end.loss);
  auto figures = ends_of(end, other_end, judged, naive_form.job.dataset->validation);
  figures.push_back(
      {fmt::format("{} steps", naive_form.steps), "s", naive.back().seconds, other.back().seconds});
  figures.push_back(
      {fmt::format("to a loss of {:.3f}", goal), "s", seconds_to(naive, goal), seconds_to(other, goal)});
  return figures;
}

/// The form that learns; its stages are the worker's.
LearningForm learning_form(harness::Setup& setup, LearningForm learning) {
  const auto key = fmt::format("{}/accuracy/{}/seed {}", learning.job.name, learning.name, learning.job.seed);
  learning.found = *setup.shared<Found>(key, [] { return std::make_shared<std::optional<Stages>>(); });
  learning.log = log_plan(setup, learning.job.name);
  return learning;
}

}  // namespace

harness::Trial accuracy_trial(harness::Setup& setup, const harness::Point& point, Job job,
                              std::int64_t steps) {
  job.seed += 1 + static_cast<std::uint64_t>(setup.round);
  job.recipe.rate_falls_over = steps;
  const auto learned = static_cast<Learned>(point["form"]);
  const auto judged = static_cast<Judged>(point["judged"]);
  auto other_job = job;
  if (learned == Learned::bf16_rate_x10) other_job.recipe.learning_rate *= 10;
  const std::string name(learned_labels[static_cast<std::size_t>(learned)]);
  const auto naive =
      learning_form(setup, {.job = std::move(job), .form = {}, .steps = steps, .name = "naive"});
  const auto other = learning_form(
      setup, {.job = std::move(other_job), .form = form_of(learned), .steps = steps, .name = name});
  const auto pair =
      std::make_shared<Pair<Trainer>>(Trainer(naive.job, naive.form), Trainer(other.job, other.form));
  auto trial = pair_trial(pair, [](Trainer& trainer) { trainer.step(); });
  trial.answer = [pair](Form form) -> Answer { return std::vector{pair->of(form).losses().at(0)}; };
  trial.before_slot = [pair](Form form) { pair->of(form).rewind(0); };
  trial.warm_up = [pair](Form form) { pair->of(form).rehearse(); };
  trial.figures = [=] { return figures_of(naive, other, judged); };
  trial.most_runs = 1;
  trial.statistic = harness::Statistic::figure;
  return trial;
}

}  // namespace workloads::training
