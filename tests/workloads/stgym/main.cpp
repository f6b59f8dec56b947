// These tests start worker processes and ranks from their own executable, which must then be one.
#include "harness/loader/batch_source.hpp"
#include "harness/ranks/rank_main.hpp"

#include "workloads/steps.hpp"

#include <catch2/catch_session.hpp>

int main(int argc, char** argv) {
  if (harness::loader::is_loader_call(argc, argv))
    return harness::loader::loader_main(argc, argv, workloads::loader_sources());
  if (harness::ranks::is_rank_call(argc, argv))
    return harness::ranks::rank_main(argc, argv, workloads::steps());
  return Catch::Session().run(argc, argv);
}
