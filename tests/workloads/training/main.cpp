// Steps that are tried in processes of their own start this very program: it must serve them as the worker
// does.
#include "harness/loader/batch_source.hpp"
#include "harness/ranks/rank_main.hpp"

#include "workloads/gpt/memory.hpp"

#include <catch2/catch_session.hpp>

#include "ranks_ways.hpp"

int main(int argc, char** argv) {
  if (harness::loader::is_loader_call(argc, argv))
    return harness::loader::loader_main(argc, argv, workloads::gpt::memory_sources());
  if (harness::ranks::is_rank_call(argc, argv))
    return harness::ranks::rank_main(argc, argv, ranks_ways::steps());
  return Catch::Session().run(argc, argv);
}
