#include "harness/core/same_answer.hpp"
#include "harness/libtorch/team.hpp"

#include <catch2/catch_message.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "ways.hpp"
#include <chrono>
#include <memory>
#include <string_view>

namespace {

using namespace harness;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

/// Trains a few times, since the Reducer rebuilds its buckets behind the first; throws where the last
/// gradient is not one process's.
void train_on_two_ranks(std::string_view way) {
  Setup setup;
  const auto team = std::make_shared<Team>(ways::row(way), setup,
                                           TeamPlan{.size = 2, .patience = std::chrono::seconds(60)});
  const auto trial = prepare_in(team, setup);
  for (int i = 0; i < 3; ++i) {
    trial.clear();
    trial.naive();
  }
  trial.answer(Form::naive);
}

TEST_CASE("in FP64 two ranks have the gradient of one process to 12 digits", "[parallel]") {
  for (const auto* way : {"each", "flat", "one_bucket", "bucket_each", "bucket_views", "find_unused",
                          "no_sync", "uneven", "all_rows"}) {
    INFO(way);
    CHECK_NOTHROW(train_on_two_ranks(way));
  }
}

TEST_CASE("a sum that nobody has divided by the ranks is noticed", "[parallel]") {
  CHECK_THROWS_MATCHES(
      train_on_two_ranks("forgotten_division"), Disagreement,
      MessageMatches(ContainsSubstring("differs from one process's by 1 of its largest value")));
}

TEST_CASE("gradients that nobody has exchanged are noticed", "[parallel]") {
  CHECK_THROWS_MATCHES(train_on_two_ranks("forgotten_exchange"), Disagreement,
                       MessageMatches(ContainsSubstring("differs from one process's")));
}

TEST_CASE("a rank that does not come to the exchange is named", "[parallel]") {
  CHECK_THROWS_WITH(train_on_two_ranks("forgotten_rank"), ContainsSubstring("rank 1: forgot to come"));
}

}  // namespace
