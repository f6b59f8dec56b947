// The tests' own main(): the loading tips start this same program again as their worker processes, and the
// steps' tests are made from their table.
#include "microbench/dataload/sources.hpp"
#include "microbench/remote_sources.hpp"
#include "microbench/variability/device_load.hpp"

#include <catch2/catch_session.hpp>

#include "sameness.hpp"
#include <vector>

int main(int argc, char** argv) {
  if (harness::is_loader_call(argc, argv)) {
    const auto tips = microbench::loader_sources();
    std::vector<harness::BatchSource> all(tips.begin(), tips.end());
    for (const auto& source : microbench::device_loads()) all.push_back(source);
    for (const auto& source : microbench::remote_sources()) all.push_back(source);
    return harness::loader_main(argc, argv, all);
  }
  sameness::register_tests();
  return Catch::Session().run(argc, argv);
}
