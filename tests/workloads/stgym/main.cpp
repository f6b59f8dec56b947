// These tests start worker processes and ranks from their own executable, which must then be one.
#include "harness/libtorch/rank_main.hpp"
#include "harness/support/channel.hpp"

#include "workloads/workloads_steps.hpp"

#include <catch2/catch_session.hpp>

int main(int argc, char** argv) {
  if (harness::is_loader_call(argc, argv))
    return harness::loader_main(argc, argv, workloads::loader_sources());
  if (harness::is_rank_call(argc, argv)) return harness::rank_main(argc, argv, workloads::steps());
  return Catch::Session().run(argc, argv);
}
