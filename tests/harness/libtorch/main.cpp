// The tests' own main(): a Team starts this same program again as its other ranks.
#include "harness/libtorch/rank_main.hpp"

#include <catch2/catch_session.hpp>

#include "trouble.hpp"

int main(int argc, char** argv) {
  if (harness::is_rank_call(argc, argv)) return harness::rank_main(argc, argv, trouble::steps());
  return Catch::Session().run(argc, argv);
}
