// These tests start worker processes from their own executable, which must then be one.
#include "harness/loader/batch_source.hpp"

#include "workloads/steps.hpp"

#include <catch2/catch_session.hpp>

int main(int argc, char** argv) {
  if (harness::loader::is_loader_call(argc, argv))
    return harness::loader::loader_main(argc, argv, workloads::loader_sources());
  return Catch::Session().run(argc, argv);
}
