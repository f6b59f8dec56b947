#include "harness/catalogue/in_python.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace harness::catalogue;

TEST_CASE("lines in Python are what stands below the two marks", "[in_python]") {
  const auto lines =
      parse_python("# same: y\n# note: Since 2.9.\nimport torch\n\n# before\ny = 1\n\n# after\ny = 2\n");
  CHECK(lines.before == "y = 1\n");
  CHECK(lines.after == "y = 2\n");
  CHECK(lines.note == "Since 2.9.");
  CHECK(lines.none.empty());
  CHECK_FALSE(lines.needs_cuda);
}

TEST_CASE("a remark counts above the lines alone", "[in_python]") {
  const auto lines = parse_python("# needs: cuda\n# before\n# note: no remark\ny = 1\n# after\ny = 2\n");
  CHECK(lines.needs_cuda);
  CHECK(lines.note.empty());
  CHECK(lines.before == "# note: no remark\ny = 1\n");
}

TEST_CASE("a step without anything to type says why", "[in_python]") {
  const auto lines = parse_python("# none: The compiler does it.\n");
  CHECK(lines.none == "The compiler does it.");
  CHECK(lines.before.empty());
}

TEST_CASE("a step finds its file", "[in_python]") {
  CHECK(in_python("sync/item_every_step"));
  CHECK_FALSE(in_python("sync/no_such_step"));
  CHECK_FALSE(in_python("no_folder"));
}
