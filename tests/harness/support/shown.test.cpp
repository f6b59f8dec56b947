#include "harness/support/shown.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using harness::shown;

TEST_CASE("text is shown on one line, in ASCII and cut short", "[text]") {
  CHECK(shown("a\nb\x80") == "\"a?b?\"");
  CHECK(shown(std::string(100, 'x')) == "\"" + std::string(40, 'x') + "...\"");
}

}  // namespace
