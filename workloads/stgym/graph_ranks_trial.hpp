// How STGym trains in several processes.
#pragma once

#include "workloads/stgym/measure/graph_trial.hpp"
#include "workloads/training/ranks_forms.hpp"
#include "workloads/training/rung_step.hpp"

namespace workloads::stgym {

/// Shares are added up in another order than one batch.
constexpr harness::Tolerance other_shares{
    .relative = 1e-4, .why = "ranks add up their graphs' shares in another order than one process"};

/// A rung's record, with this model's tolerances.
template <auto rung>
constexpr harness::Step in_ranks(const training::OwnRecord& own) {
  auto step = rung(own);
  step.tolerance = other_shares;
  step.cuda_tolerance = on_cuda;
  return step;
}

/// The trial of a rung on the published model with every kept change; a batch's graphs are shared among the
/// ranks. Throws Skip for any other model.
harness::Trial ranks_trial(harness::Setup& setup, const training::RanksPlan& plan);

}  // namespace workloads::stgym
