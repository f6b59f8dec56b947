#include "tests/harness/libtorch/cpus_needed.hpp"

#include "harness/core/same_answer.hpp"
#include "harness/libtorch/team.hpp"
#include "harness/run/select.hpp"

#include "workloads/workloads_steps.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <memory>

namespace {

using namespace harness;

Trial on_two_ranks(Setup& setup, const run::StepAt& row) {
  const auto team =
      std::make_shared<Team>(row, setup, TeamPlan{.size = 2, .patience = std::chrono::seconds(120)});
  return prepare_in(team, setup);
}

Setup small_setup() {
  Setup setup;
  setup.seed = 7;
  setup.options["scale"] = "0.002";
  return setup;
}

TEST_CASE("every rung of STGym in two ranks takes one process's first step", "[ranks]") {
  need_cpus(2);
  for (const auto* name :
       {"stgym/ddp/device:cpu", "stgym/ddp_no_sync/device:cpu", "stgym/ddp_buckets/device:cpu"}) {
    INFO(name);
    auto setup = small_setup();
    const auto row = run::find_row(workloads::steps(), name, 0);
    const auto trial = on_two_ranks(setup, row);
    CHECK_NOTHROW(check_same_answer(trial, row.step->tolerance, [] {}));
    for (const auto form : {Form::naive, Form::optimized}) {
      trial.before_slot(form);
      trial.warm_up(form);
    }
  }
}

}  // namespace
