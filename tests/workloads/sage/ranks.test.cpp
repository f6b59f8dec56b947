#include "tests/harness/libtorch/cpus_needed.hpp"
#include "tests/workloads/sage/ladder_steps.hpp"
#include "tests/workloads/sage/small_graph.hpp"

#include "harness/core/same_answer.hpp"
#include "harness/libtorch/rank.hpp"
#include "harness/libtorch/team.hpp"
#include "harness/run/select.hpp"

#include "workloads/sage/partitioned_features.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <cmath>
#include <memory>

namespace {

using namespace harness;
using namespace workloads::sage;

TEST_CASE("two ranks with half of the features each take one process's first step", "[ranks]") {
  need_cpus(2);
  Setup setup;
  setup.seed = 7;
  setup.options = {{"scale", "0.002"}, {"batch-size", "16"}};
  const auto row = run::find_row(ladder_steps(), "sage/ddp/device:cpu", 0);
  const auto team =
      std::make_shared<Team>(row, setup, TeamPlan{.size = 2, .patience = std::chrono::seconds(120)});
  const auto trial = prepare_in(team, setup);
  CHECK_NOTHROW(check_same_answer(trial, row.step->tolerance, [] {}));
  for (const auto form : {Form::naive, Form::optimized}) {
    trial.before_slot(form);
    trial.warm_up(form);
  }
}

TEST_CASE("a rank alone has all rows of the partitioned features", "[ranks]") {
  Setup setup;
  const auto features = small_graph::job().graph->features;
  const PartitionedFeatures part(features, rank_of(setup), at::kCPU);
  const auto nodes = at::tensor({7, 0, 2391, 7, 12}, at::kLong);
  CHECK(at::equal(part.rows(nodes), features.index_select(0, nodes)));
}

TEST_CASE("a training in parts has the sum of the parts' gradients, and a step of its own", "[ranks]") {
  auto job = small_graph::job(at::kDouble);
  job.parts = 2;
  Trainer trainer(job, best());
  trainer.step();
  const auto first = trainer.first_step();
  trainer.restart();
  trainer.rehearse();
  trainer.step();
  CHECK(trainer.first_step() == first);
  job.parts = 1;
  Trainer whole(job, best());
  whole.step();
  CHECK(std::abs(whole.first_step().front() - first.front()) < 0.2 * first.front());
}

}  // namespace
