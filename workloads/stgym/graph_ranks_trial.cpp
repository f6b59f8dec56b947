#include "workloads/stgym/graph_ranks_trial.hpp"

#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/rank.hpp"

#include "workloads/stgym/space/configuration_option.hpp"
#include "workloads/stgym/train/graph_trainer.hpp"
#include "workloads/stgym/train/training_options.hpp"

namespace workloads::stgym {
namespace {

Job job_in_parts(harness::Setup& setup, std::int64_t parts) {
  const auto configuration = space::configuration_in(setup.options);
  // Batch norms and dropout of other models differ from one process's.
  if (const auto why = space::why_not(setup.options, "stgym/ddp"); !why.empty()) throw harness::Skip(why);
  Job job{.dataset = shared_dataset(setup, Data::device, {}),
          .device = harness::torch_device(setup.device),
          .options = training_options(setup.options),
          .seed = setup.seed,
          .configuration = configuration};
  job.options.batch_size *= parts;
  return job;
}

training::Trainee with_others(Job job, training::DataParallel plan, std::int64_t parts) {
  job.data_parallel = std::move(plan);
  job.parts = parts;
  return training::trainee(std::make_shared<Trainer>(std::move(job), all_kept()));
}

}  // namespace

harness::Trial ranks_trial(harness::Setup& setup, const training::RanksPlan& plan) {
  const auto rank = harness::rank_of(setup);
  const auto job = job_in_parts(setup, plan.parts);
  const auto key = fmt::format("stgym/first step/batch:{}", job.options.batch_size);
  training::RanksForms forms{.naive = {},
                             .optimized = with_others(job, {.rank = rank}, plan.parts),
                             .alone = training::first_step_alone<Trainer>(setup, key, job, all_kept()),
                             .tolerance = setup.device.is_cuda() ? on_cuda : other_shares};
  if (!plan.naive_is_alone)
    forms.naive = with_others(job, {rank, plan.naive_bucket, plan.naive_syncs_each_part}, plan.parts);
  else if (rank->number() == 0)
    forms.naive = training::trainee(std::make_shared<Trainer>(job, all_kept()));
  return training::ranks_trial(setup, std::move(forms));
}

}  // namespace workloads::stgym
