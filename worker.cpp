#include "microbench/steps.hpp"

#include <cstdio>

int main() {
  for (const auto* step : microbench::steps())
    std::printf("%.*s\n", static_cast<int>(step->id.size()), step->id.data());
}
