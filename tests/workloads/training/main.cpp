// Steps that are tried in processes of their own start this very program: it must serve them as the worker
// does.
#include "harness/libtorch/rank_main.hpp"
#include "harness/support/channel.hpp"

#include "workloads/gpt/gpt_memory.hpp"

#include <catch2/catch_session.hpp>

#include "ranks_ways.hpp"

int main(int argc, char** argv) {
  if (harness::is_loader_call(argc, argv))
    return harness::loader_main(argc, argv, workloads::gpt::memory_sources());
  if (harness::is_rank_call(argc, argv)) return harness::rank_main(argc, argv, ranks_ways::steps());
  return Catch::Session().run(argc, argv);
}
