#include "tests/folder.hpp"

#include "harness/support/field.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

namespace {

using namespace harness;

constexpr std::uint64_t most = 1000;

TEST_CASE("every text of a file is made printable, and so is every name", "[read_json]") {
  const tests::Folder folder;
  folder.write("x.json", R"({"a\u001b[2J": ["\u009b", {"b": "\u202ec\n"}], "d": 1, "e": "plain"})");
  CHECK(read_json(folder.at("x.json"), most) ==
        Json::parse(R"({"a?[2J": ["?", {"b": "?c?"}], "d": 1, "e": "plain"})"));
}

TEST_CASE("a file without JSON is named", "[read_json]") {
  const tests::Folder folder;
  folder.write("x.json", " ");
  CHECK_THROWS_WITH(read_json(folder.at("x.json"), most), folder.at("x.json") + ": is empty");
}

}  // namespace
