#include "harness/support/near_miss.hpp"

#include "harness/support/text.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace harness;
using Words = std::vector<std::string>;

namespace {

const Words names{"transfer/*", "transfer/pinned_h2d", "transfer/pinned_d2h", "sync/item_every_step",
                  "doctor"};

}  // namespace

TEST_CASE("a part of a name, or one with a slip, finds the name", "[near_miss]") {
  CHECK(near_misses("h2d", names).front() == "transfer/pinned_h2d");
  CHECK(near_misses("docter", names) == Words{"doctor"});
  CHECK(near_misses("item_evry", names) == Words{"sync/item_every_step"});
}

TEST_CASE("what needs fewer edits comes first, and at most three are named", "[near_miss]") {
  CHECK(near_misses("pinned_d2h", names) == Words{"transfer/pinned_d2h", "transfer/pinned_h2d"});
  CHECK(near_misses("r", Words{"ra", "rb", "rc", "rd"}).size() == 3);
}

TEST_CASE("wildcards do not count as letters", "[near_miss]") {
  CHECK(near_misses("*itme*", names) == Words{"sync/item_every_step"});
  CHECK(near_misses("**", names).empty());
}

TEST_CASE("another word finds nothing", "[near_miss]") {
  CHECK(near_misses("quaternion", names).empty());
  CHECK(near_misses("nosuch", Words{"traps/first_touch"}).empty());
  CHECK(near_misses("sink/*", Words{"memory/alloc_prealloc_varlen/order:rising/device:cpu"}).empty());
}

TEST_CASE("a word that nobody can have misspelt finds nothing, at once", "[near_miss]") {
  const Words many(1000, "transfer/pinned_h2d/bytes:16Mi/device:cuda");
  CHECK(near_misses(std::string(1'000'000, 'a'), many).empty());  // in quadratic time it takes an hour
}

TEST_CASE("a short word with a slip finds the whole name, and no part of a longer one", "[near_miss]") {
  CHECK(near_misses("rum", Words{"run", "doctor", "sync/run_ahead"}) == Words{"run"});
  CHECK(near_misses("lst", Words{"list", "learn"}) == Words{"list"});
  CHECK(near_misses("mergw", Words{"merge", "report"}) == Words{"merge"});
}

TEST_CASE("neither dashes nor a part without its first letter make words alike", "[near_miss]") {
  CHECK(near_misses("--nope", Words{"--top", "--sort"}).empty());
  CHECK(near_misses("nope", Words{"small_operators", "memory_operators"}).empty());
  CHECK(near_misses("--xyz", Words{"--top", "--by"}).empty());
  CHECK(near_misses("--tpo", Words{"--top", "--sort"}) == Words{"--top"});
  CHECK(near_misses("--stpes", Words{"--steps", "--stacks"}) == Words{"--steps"});
}

TEST_CASE("the question is worded for one, two and three, and left out for none", "[near_miss]") {
  CHECK(did_you_mean("docter", names) == "; did you mean 'doctor'?");
  CHECK(did_you_mean("quaternion", names).empty());
  CHECK(join_or(Words{"a", "b", "c"}) == "a, b or c");
}
