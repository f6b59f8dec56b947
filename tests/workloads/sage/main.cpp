// Worker processes and ranks are this very program: it must serve them as the worker does.
#include "tests/workloads/sage/ladder_steps.hpp"

#include "harness/libtorch/rank_main.hpp"
#include "harness/support/channel.hpp"

#include "workloads/sage/sample_processes.hpp"

#include <catch2/catch_session.hpp>

#include <span>

int main(int argc, char** argv) {
  using namespace workloads::sage;
  if (harness::is_loader_call(argc, argv))
    return harness::loader_main(argc, argv, std::span(&sampled_batches, 1));
  if (harness::is_rank_call(argc, argv)) return harness::rank_main(argc, argv, ladder_steps());
  return Catch::Session().run(argc, argv);
}
