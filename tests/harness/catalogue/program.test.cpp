// The program that is handed to each command.
#include "harness/catalogue/program.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>

namespace {

using namespace harness::catalogue;

int reads = 0;

Catalogue read_one() {
  ++reads;
  Catalogue catalogue;
  catalogue.steps.emplace_back().id = "sync/one";
  return catalogue;
}

TEST_CASE("a catalogue is read once, and only where somebody asks for it", "[catalogue]") {
  reads = 0;
  constexpr std::array<StepSource, 2> sources{{{"cpu/two", "two.cpp", ""}, {"sync/one", "one.cpp", ""}}};
  const Program program{.catalogue = LateCatalogue(read_one), .sources = sources, .self = {}, .worker = {}};
  const auto has = has_step(program);
  CHECK(has("sync/one"));
  CHECK_FALSE(has("sync/on"));
  CHECK_FALSE(has("sync/two"));
  CHECK(reads == 0);
  const Catalogue& catalogue = program.catalogue;
  CHECK(catalogue.steps.front().id == "sync/one");
  CHECK(&program.catalogue->steps == &catalogue.steps);
  CHECK(reads == 1);
}

TEST_CASE("a catalogue that is there already needs no reading", "[catalogue]") {
  const Program program{.catalogue = read_one(), .sources = {}, .self = {}, .worker = {}};
  CHECK(program.catalogue->steps.size() == 1);
  CHECK_FALSE(has_step(program)("sync/one"));
}

}  // namespace
