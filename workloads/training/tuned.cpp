#include "workloads/training/tuned.hpp"

#include "workloads/training/knobs.hpp"
#include "workloads/training/train_once.hpp"
#include "workloads/training/trainer.hpp"
#include "workloads/tuning/make_knob.hpp"
#include "workloads/tuning/proof.hpp"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace workloads::training {
namespace {

using harness::Answer;
using harness::Form;
using tuning::number_of;

std::int64_t whole(const tuning::Settings& settings, const std::string& name) {
  return static_cast<std::int64_t>(number_of(settings, name));
}

/// The job as the settings want it.
Job tuned_job(Job job, const tuning::Settings& settings) {
  job.validation_batch = job.batch_size;
  job.recipe.learning_rate *= tuning::rate_factor(settings, job.batch_size);
  job.batch_size = whole(settings, "batch_size");
  job.parts = whole(settings, "accumulation");
  job.workers = static_cast<int>(whole(settings, "workers"));
  job.batches_ready = static_cast<int>(whole(settings, "prefetch"));
  if (job.batch_size > job.dataset->training)
    throw harness::Skip(fmt::format("{} has {} samples to train on, fewer than a batch", job.dataset->source,
                                    job.dataset->training));
  return job;
}

/// A form in training, with its threads.
struct TunedForm {
  TunedForm(const Job& job, const tuning::Settings& settings)
      : threads(static_cast<int>(whole(settings, "threads"))),
        batch((at::set_num_threads(threads), whole(settings, "batch_size"))),
        trainer(tuned_job(job, settings), switches_of(settings)) {}
  void train(std::int64_t samples) {
    at::set_num_threads(threads);
    for (std::int64_t done = 0; done < samples; done += batch) trainer.step();
  }
  int threads;
  std::int64_t batch;
  Trainer trainer;
};

struct TunedPair {
  TunedForm naive, optimized;
  std::int64_t samples;  // that a run of either trains
  TunedForm& of(Form form) { return form == Form::naive ? naive : optimized; }
};

/// Of the seed, after `amount` samples.
double loss_after(Job job, const tuning::Settings& settings, std::int64_t amount, std::uint64_t seed) {
  job.seed = seed;
  TunedForm form(job, settings);
  form.train(amount);
  static_cast<void>(form.trainer.losses());  // throws where one is not finite
  return form.trainer.validate().loss;
}

/// All samples were trained; and where the first batches are the same ones, so are their losses.
Answer answer_of(TunedPair& pair, Form form) {
  auto& one = pair.of(form);
  const auto losses = one.trainer.losses();
  const auto trained = static_cast<float>(losses.size()) * static_cast<float>(one.batch);
  std::vector<float> answer{trained / static_cast<float>(pair.samples)};
  if (pair.naive.batch == pair.optimized.batch) answer.push_back(losses.at(0));
  return answer;
}

}  // namespace

harness::run::Trained train_job(Job job, const harness::run::TrainingOrder& order,
                                const harness::worker::TellPart& tell) {
  if (auto reason = harness::catalogue::why_not(clashes(), order.settings); !reason.empty())
    throw harness::Skip(reason);
  const auto part = order.amount / harness::run::training_parts;
  const auto make = [&] {
    const auto form = std::make_shared<TunedForm>(job, order.settings);
    return TrialWork{.samples_of_part = part,
                     .train_part =
                         [form, part] {
                           form->train(part);
                           static_cast<void>(form->trainer.losses());
                         },
                     .loss = [form] { return form->trainer.validate().loss; }};
  };
  return train_once(order.device, make, tell);
}

harness::Trial tuned_trial(harness::Setup& setup, const harness::Point& point, const Job& job,
                           std::int64_t amount) {
  const auto settings = tuning::settings_at(setup, point, tunable_model(job.name));
  auto naive = TunedForm(job, settings.standard);
  auto optimized = TunedForm(job, settings.chosen);
  const auto samples = std::max(naive.batch, optimized.batch);
  const auto pair = std::make_shared<TunedPair>(TunedPair{std::move(naive), std::move(optimized), samples});
  const auto loss = [job, amount](const tuning::Settings& of, std::uint64_t seed) {
    return loss_after(job, of, amount, seed);
  };
  return {
      .naive = [pair] { pair->naive.train(pair->samples); },
      .optimized = [pair] { pair->optimized.train(pair->samples); },
      .clear =
          [pair] {
            pair->naive.trainer.restart();
            pair->optimized.trainer.restart();
          },
      .answer = [pair](Form form) { return answer_of(*pair, form); },
      // Each round trains other samples, and each of its slots the same ones.
      .before_slot =
          [pair, round = setup.round](Form form) {
            pair->of(form).trainer.rewind(round * pair->samples / pair->of(form).batch);
          },
      .warm_up =
          [pair](Form form) {
            at::set_num_threads(pair->of(form).threads);
            pair->of(form).trainer.rehearse();
          },
      .figures = [&setup, name = job.name, settings,
                  loss] { return tuning::fresh_losses(setup, name, settings, loss); },
  };
}

}  // namespace workloads::training
