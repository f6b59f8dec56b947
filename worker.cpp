#include "harness/cli/catalogue.hpp"

#include "microbench/steps.hpp"

#include <cstdio>
#include <string_view>

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--catalogue")
    return std::puts(harness::catalogue_json(microbench::steps(), {}).c_str()) < 0 ? 1 : 0;
  std::fputs("tuneproof-worker: started by tuneproof, not by hand\n", stderr);
  return 1;
}
