#include "harness/programs/next_commands.hpp"

#include <catch2/catch_test_macros.hpp>

namespace {

using namespace harness;
using namespace harness::programs;

trace::Diagnosis diagnosis(std::string file, std::vector<trace::Finding> findings = {}) {
  trace::Diagnosis made;
  made.file = std::move(file);
  made.findings = std::move(findings);
  return made;
}

TEST_CASE("a word is quoted where a shell would take it apart", "[next_commands]") {
  CHECK(quoted("train.py") == "train.py");
  CHECK(quoted("--lr=0.1") == "--lr=0.1");
  CHECK(quoted("") == "''");
  CHECK(quoted("a b") == "'a b'");
  CHECK(quoted("it's") == R"('it'\''s')");
  CHECK(quoted("$HOME") == "'$HOME'");
}

TEST_CASE("the steps of the first findings are named, each once", "[next_commands]") {
  const std::vector<trace::Diagnosis> one{
      diagnosis("t.json.gz", {{.id = "a", .message = "", .steps = {"sync/a", "sync/b"}},
                              {.id = "b", .message = "", .steps = {}},
                              {.id = "c", .message = "", .steps = {"sync/a"}},
                              {.id = "d", .message = "", .steps = {"launch/d"}}})};
  const auto text = next_commands(one, {"python", "my train.py"});
  CHECK(text.find("tuneproof explain sync/a\n") != text.npos);
  CHECK(text.find("tuneproof run sync/a launch/d\n") != text.npos);
  CHECK(text.find("tuneproof watch --against t.json.gz -- python 'my train.py'\n") != text.npos);
}

TEST_CASE("where one step decided the verdict, more of them are recorded", "[next_commands]") {
  std::vector<trace::Diagnosis> one{diagnosis("t.json.gz")};
  one.front().steps.resize(5);
  CHECK(next_commands(one, {"python", "train.py"}).find("--steps") == std::string::npos);
  one.front().steps[2].us = 100;
  one.front().steps[2].without = trace::Regime::compute;
  CHECK(next_commands(one, {"python", "train.py"}).find("tuneproof watch --steps 20 -- python train.py\n") !=
        std::string::npos);
}

TEST_CASE("several ranks are diagnosed together and not compared", "[next_commands]") {
  const std::vector<trace::Diagnosis> two{diagnosis("a.json.gz"), diagnosis("b.json.gz")};
  const auto text = next_commands(two, {"torchrun", "train.py"});
  CHECK(text.find("tuneproof diagnose a.json.gz b.json.gz --top 40\n") != text.npos);
  CHECK(text.find("--against") == text.npos);
}

}  // namespace
