#include "harness/libtorch/rank.hpp"

#include "workloads/sage/sage_trial.hpp"
#include "workloads/training/ranks_forms.hpp"

namespace workloads::sage {
namespace {

training::Trainee trainee_of(const Job& job) {
  return training::trainee(std::make_shared<Trainer>(job, best()));
}

}  // namespace

harness::Trial ddp(harness::Setup& setup, const harness::Point& /*point*/) {
  const auto rank = harness::rank_of(setup);
  auto alone = job(setup);
  alone.parts = rank->size();
  if (alone.batch_size % alone.parts != 0)
    throw harness::Skip(fmt::format("a batch of {} seeds does not divide evenly among {} ranks",
                                    alone.batch_size, alone.parts));
  auto shared = alone;
  shared.rank = rank;
  const auto first = training::first_step_alone<Trainer>(setup, "sage/first step", alone, best());
  training::RanksForms forms{
      .naive = {}, .optimized = trainee_of(shared), .alone = first, .tolerance = other_order};
  if (rank->number() == 0) forms.naive = trainee_of(alone);
  return training::ranks_trial(setup, std::move(forms));
}

}  // namespace workloads::sage
