// Worker processes and ranks are this very program: it must serve them as the worker does.
#include "tests/workloads/sage/ladder_steps.hpp"

#include "harness/loader/batch_source.hpp"
#include "harness/ranks/rank_main.hpp"

#include "workloads/sage/sample_processes.hpp"

#include <catch2/catch_session.hpp>

#include <span>

int main(int argc, char** argv) {
  using namespace workloads::sage;
  if (harness::loader::is_loader_call(argc, argv))
    return harness::loader::loader_main(argc, argv, std::span(&sampled_batches, 1));
  if (harness::ranks::is_rank_call(argc, argv)) return harness::ranks::rank_main(argc, argv, ladder_steps());
  return Catch::Session().run(argc, argv);
}
