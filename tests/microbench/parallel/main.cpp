// A main() of their own: the tests' teams start this same program again as their other ranks.
#include "harness/libtorch/rank_main.hpp"

#include <catch2/catch_session.hpp>

#include "ways.hpp"

int main(int argc, char** argv) {
  if (harness::is_rank_call(argc, argv)) return harness::rank_main(argc, argv, ways::steps());
  return Catch::Session().run(argc, argv);
}
