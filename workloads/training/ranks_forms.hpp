// How ResNet-50, the GPT and the U-Net train in several processes: two forms, and the first step of one
// process that both must take.
#pragma once

#include "harness/core/step.hpp"

#include "workloads/training/data_parallel.hpp"
#include "workloads/training/job.hpp"
#include "workloads/training/trial.hpp"

namespace workloads::training {

/// What distinguishes the rungs.
struct RanksPlan {
  std::int64_t parts = 1;       // of a batch, which is as many times the workload's
  bool naive_is_alone = false;  // rank 0's, with whole batches; else all ranks', as the next two say
  std::size_t naive_bucket = ddps_bucket;
  bool naive_syncs_each_part = false;
};
/// Rank 0 alone against all ranks with a shard of each batch.
constexpr RanksPlan ddp{.naive_is_alone = true};
/// Twice the batch in two parts: gradients exchanged behind each of them, against behind the second alone.
constexpr RanksPlan ddp_no_sync{.parts = 2, .naive_syncs_each_part = true};
/// Each gradient exchanged by itself, against buckets of 25 MiB.
constexpr RanksPlan ddp_buckets{.naive_bucket = 1};

/// Loss, norm of all gradients, and what else is compared.
using FirstStep = std::vector<float>;

/// A model in training, whatever its loop.
struct Trainee {
  std::function<void()> step, restart, rehearse;
  std::function<void(std::int64_t)> rewind;
  std::function<FirstStep()> first_step;
};

template <class Trainer>
Trainee trainee(const std::shared_ptr<Trainer>& trainer) {
  return {.step = [trainer] { trainer->step(); },
          .restart = [trainer] { trainer->restart(); },
          .rehearse = [trainer] { trainer->rehearse(); },
          .rewind = [trainer](std::int64_t batch) { trainer->rewind(batch); },
          .first_step = [trainer] { return trainer->first_step(); }};
}

/// The first step of one process, made once for both sets: it is a model and a step more.
template <class Trainer, class Job, class Switches>
std::shared_ptr<const FirstStep> first_step_alone(harness::Setup& setup, const std::string& key,
                                                  const Job& job, const Switches& switches) {
  return setup.shared<FirstStep>(key, [&] {
    Trainer one(job, switches);
    one.rewind(setup.round);
    one.step();
    return one.first_step();
  });
}

/// A row on one rank.
struct RanksForms {
  std::optional<Trainee> naive;  // nothing: another rank's
  Trainee optimized;
  std::shared_ptr<const FirstStep> alone;  // of one process
  harness::Tolerance tolerance;            // how far from it either form may lie
};

/// The trial; a form whose first step is not one process's throws harness::Disagreement.
harness::Trial ranks_trial(const harness::Setup& setup, RanksForms forms);

constexpr harness::Source ddp_notes(std::string_view where) {
  return {"PyTorch, Distributed Data Parallel", "https://docs.pytorch.org/docs/stable/notes/ddp.html", where};
}

constexpr harness::Source ddp_api(std::string_view where) {
  return {"PyTorch, DistributedDataParallel",
          "https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html",
          where};
}

/// The trial of a rung. Where batch norms take each rank's samples by themselves, the one process that it is
/// held against trains a batch in as many parts. Throws Skip where a batch does not divide evenly.
harness::Trial ranks_trial(harness::Setup& setup, MakeJob make, const RanksPlan& plan,
                           const harness::Tolerance& tolerance);

/// Prepares a rung of a workload's table.
template <MakeJob make, RanksPlan plan, const harness::Tolerance& tolerance = other_order>
harness::Trial in_ranks(harness::Setup& setup, const harness::Point& /*point*/) {
  return ranks_trial(setup, make, plan, tolerance);
}

}  // namespace workloads::training
