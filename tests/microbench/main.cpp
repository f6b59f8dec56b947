// The tests' own main(): the loading tips start this same program again as their worker processes.
#include "microbench/dataload/sources.hpp"

#include <catch2/catch_session.hpp>

int main(int argc, char** argv) {
  if (harness::is_loader_call(argc, argv))
    return harness::loader_main(argc, argv, microbench::loader_sources());
  return Catch::Session().run(argc, argv);
}
