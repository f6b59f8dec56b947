#include "tests/folder.hpp"

#include "harness/support/field.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

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

TEST_CASE("a table that a command printed is no JSON, and what to name instead is said", "[read_json]") {
  const tests::Folder folder;
  folder.write("run.txt", "CPU, 1 thread\nROW  CHANGE\n");
  CHECK_THROWS_WITH(read_json(folder.at("run.txt"), most),
                    folder.at("run.txt") +
                        ": is not JSON; name a file that `run --json FILE`, `prices --benchmark_out=FILE` or "
                        "another command's --json has written");
  folder.write("log.txt", "[rehearsal] 11 rows, about 40 s left\n");
  CHECK_THROWS_WITH(read_json(folder.at("log.txt"), most), Catch::Matchers::ContainsSubstring("is not JSON"));
  folder.write("marked.json", "\xef\xbb\xbf {\"a\": 1}");
  CHECK(read_json(folder.at("marked.json"), most) == Json{{"a", 1}});
  folder.write("cut.json", "{\"a\": [1, 2");
  CHECK_THROWS_WITH(read_json(folder.at("cut.json"), most),
                    folder.at("cut.json") + ": is cut short: it ends at line 1, column 12");
  folder.write("wrong.json", "{\"a\": 1 2}");
  CHECK_THROWS_WITH(read_json(folder.at("wrong.json"), most),
                    Catch::Matchers::ContainsSubstring("parse error at line 1"));
}

}  // namespace
