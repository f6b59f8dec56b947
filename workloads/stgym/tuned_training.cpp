#include "workloads/stgym/tuned_training.hpp"

#include "harness/libtorch/answer.hpp"

#include "workloads/stgym/knobs.hpp"
#include "workloads/stgym/measure/trial.hpp"
#include "workloads/stgym/space/config_option.hpp"
#include "workloads/stgym/train/trainer.hpp"
#include "workloads/training/train_once.hpp"
#include "workloads/tuning/proof.hpp"

#include <ATen/Parallel.h>

#include <memory>

namespace workloads::stgym {
namespace {

using harness::Answer;
using harness::Form;
using harness::Setup;
using harness::catalogue::Settings;
using tuning::number_of;

/// What is trained with these settings. The standard batch is what the learning rate may grow from.
Job tuned_job(Setup& setup, const Settings& settings) {
  const bool ahead = tuning::has(settings, "pinned", "yes");
  Job job{.dataset = shared_dataset(setup, ahead ? Data::pinned : Data::device, {}),
          .device = harness::torch_device(setup.device),
          .options = training_options(setup.options),
          .seed = setup.seed,
          .loader_kind = tuning::has(settings, "loader", "processes") ? Workers::processes : Workers::threads,
          .configuration = space::configuration_in(setup.options)};
  const auto standard = job.options.batch_size;
  job.validation_batch = standard;
  job.rate_factor = tuning::rate_factor(settings, standard);
  job.options.batch_size = static_cast<std::int64_t>(number_of(settings, "batch_size"));
  job.loader_workers = static_cast<int>(number_of(settings, "workers"));
  return job;
}

/// A form in training, with its threads.
struct TunedForm {
  TunedForm(const Job& job, const Settings& settings)
      : threads((at::set_num_threads(static_cast<int>(number_of(settings, "threads"))),
                 static_cast<int>(number_of(settings, "threads")))),
        trainer(job, switches_of(settings)) {}
  void epoch() {
    at::set_num_threads(threads);
    trainer.epoch();
  }
  int threads;
  Trainer trainer;
};

struct TunedPair {
  TunedPair(Setup& setup, const tuning::TwoSettings& settings)
      : naive(tuned_job(setup, settings.standard), settings.standard),
        optimized(tuned_job(setup, settings.chosen), settings.chosen),
        same_batches(number_of(settings.standard, "batch_size") == number_of(settings.chosen, "batch_size")) {
  }
  TunedForm naive, optimized;
  bool same_batches;
  TunedForm& of(Form form) { return form == Form::naive ? naive : optimized; }
};

double loss_after(Setup& setup, const Settings& settings, std::int64_t epochs, std::uint64_t seed) {
  auto job = tuned_job(setup, settings);
  job.seed = seed;
  TunedForm form(job, settings);
  for (std::int64_t i = 0; i < epochs; ++i) form.epoch();
  return form.trainer.validation().loss;
}

/// An epoch was trained whole; and where the first batches are the same ones, so are their losses.
Answer answer_of(TunedPair& pair, Form form) {
  auto& trainer = pair.of(form).trainer;
  const auto losses = trainer.losses();
  const auto epochs = static_cast<float>(losses.size()) / static_cast<float>(trainer.batches_per_epoch());
  std::vector<float> answer{epochs};
  if (pair.same_batches) answer.push_back(losses.at(0));
  return answer;
}

}  // namespace

harness::run::Trained train_tuned(Setup& setup, const harness::run::TrainingOrder& order,
                                  const harness::worker::TellPart& tell) {
  if (auto reason = harness::catalogue::why_not(clashes(), order.settings); !reason.empty())
    throw harness::Skip(reason);
  const auto epochs = order.amount / harness::run::training_parts;
  const auto job = tuned_job(setup, order.settings);
  const auto make = [&] {
    const auto form = std::make_shared<TunedForm>(job, order.settings);
    return training::TrialWork{.samples_of_part = epochs * form->trainer.training_graphs(),
                               .train_part =
                                   [form, epochs] {
                                     for (std::int64_t i = 0; i < epochs; ++i) form->epoch();
                                   },
                               .loss = [form] { return form->trainer.validation().loss; }};
  };
  return training::train_once(order.device, make, tell);
}

harness::Trial tuned_trial(Setup& setup, const harness::Point& point) {
  const auto settings = tuning::settings_at(setup, point, tunable());
  const auto pair = std::make_shared<TunedPair>(setup, settings);
  const auto loss = [&setup](const Settings& of, std::uint64_t seed) {
    return loss_after(setup, of, tuned_epochs, seed);
  };
  return {
      .naive = [pair] { pair->naive.epoch(); },
      .optimized = [pair] { pair->optimized.epoch(); },
      .clear =
          [pair] {
            pair->naive.trainer.restart();
            pair->optimized.trainer.restart();
          },
      .answer = [pair](Form form) { return answer_of(*pair, form); },
      .before_slot = [pair](Form form) { pair->of(form).trainer.rewind(0); },
      .warm_up =
          [pair](Form form) {
            at::set_num_threads(pair->of(form).threads);
            pair->of(form).trainer.rehearse();
          },
      .figures = [&setup, settings, loss] { return tuning::fresh_losses(setup, "stgym", settings, loss); },
  };
}

}  // namespace workloads::stgym
