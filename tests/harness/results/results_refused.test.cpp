// Files that the reader refuses, and how it names the place.
#include "tests/harness/results/example_results.hpp"

#include <catch2/catch_test_macros.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace harness::results {
namespace {

using namespace examples;

TEST_CASE("A file of a newer major version is refused, unknown fields are not", "[results]") {
  auto json = results_to_json(example());
  json["tuneproof"]["later"] = {1, 2};
  CHECK(message_of(json) == "accepted");
  json["tuneproof"]["schema_version"]["major"] = 2;
  CHECK(message_of(json) ==
        "r.json: tuneproof.schema_version.major: a newer tuneproof wrote this file (2; this one reads up to "
        "1)");
}

TEST_CASE("A plan and rows that do not belong together are refused", "[results]") {
  const auto with_rows = [](std::vector<std::string> names) {
    auto results = example();
    results.session.rows = std::move(names);
    return message_of(results_to_json(results));
  };
  const std::string lead = "r.json: tuneproof.session.rows: ";
  const std::string h2d = "transfer/pinned_h2d/bytes:4MiB";
  CHECK(with_rows({h2d, "sync/item"}) == lead + "'sync/item_every_step' is missing");
  CHECK(with_rows({h2d, "sync/item", "sync/item_every_step", "a/b"}) == lead + "a row has no result");
  CHECK(with_rows({h2d, h2d, "sync/item", "sync/item_every_step"}) == lead + "duplicate row '" + h2d + "'");
}

TEST_CASE("A file that is none of ours says so", "[results]") {
  CHECK(message_of(Json::array()) == "r.json: not a results file of tuneproof: it has no block 'tuneproof'");
  CHECK(message_of({{"benchmarks", Json::array()}}) ==
        "r.json: not a results file of tuneproof: it has no block 'tuneproof'");
}

TEST_CASE("A wrong value is named with its place", "[results]") {
  auto json = results_to_json(example());
  auto& pair = json["tuneproof"]["pairs"][0];
  pair["result"]["verdict"] = "perhaps";
  CHECK(message_of(json) == "r.json: tuneproof.pairs[0].result.verdict: 'perhaps' is not a verdict");
  pair["result"]["verdict"] = 7;
  CHECK(message_of(json) == "r.json: tuneproof.pairs[0].result.verdict: expected a string, not number");
  pair["result"]["verdict"] = "helps";
  pair["samples"]["t_ns"].erase(0);
  CHECK(message_of(json) == "r.json: tuneproof.pairs[0].samples: the columns differ in length");
}

/// Every value of the document in turn, replaced by something else.
void replace_each(Json& node, const Json& by, const std::function<void()>& look) {
  for (auto& child : node) {
    const auto kept = child;
    child = by;
    look();
    child = kept;
    if (child.is_structured()) replace_each(child, by, look);
  }
}

TEST_CASE("What no run could have written is refused", "[results]") {
  const auto refused = [](const char* place, const Json& value) {
    auto json = results_to_json(example());
    json["tuneproof"][Json::json_pointer(place)] = value;
    return message_of(json);
  };
  CHECK(refused("/pairs/0/delta", -1) ==
        "r.json: tuneproof.pairs[0].delta: expected a share between 0 and 10");
  CHECK(refused("/pairs/0/delta", 11).ends_with("delta: expected a share between 0 and 10"));
  CHECK(refused("/pairs/0/iterations", 1e15).ends_with("iterations: expected a whole number, not number"));
  CHECK(refused("/session/threads", 0).ends_with("threads: expected a whole number from 1 to 1000000"));
  CHECK(refused("/session/mode", "aa").ends_with("session.mode: 'aa' is unknown"));
  CHECK(refused("/session/suite", "xx").ends_with("session.suite: 'xx' is unknown"));
  for (const auto alpha : {0.0, 5e-324, 1e-17, 1.0})  // the smallest have no finite quantile
    CHECK(refused("/session/alpha", alpha).ends_with("alpha: expected a share from 1e-09 to 1"));
  CHECK(refused("/session/early_looks", {3, 12})
            .ends_with("early_looks[1]: expected a whole number from 2 to 9"));
  CHECK(refused("/schema_version/minor", "3").ends_with("minor: expected a whole number, not string"));
  CHECK(refused("/rounds/1/round", 0).ends_with("rounds: expected rounds in order from 0"));
  CHECK(refused("/rounds", Json::array()).ends_with("has more units than rounds"));
}

TEST_CASE("No wrong type anywhere makes the reader crash: it is accepted or named", "[results]") {
  auto json = results_to_json(example());
  for (const Json& by :
       {Json("x"), Json(-1), Json(1e300), Json(nullptr), Json::array(), Json::object(), Json(true)})
    replace_each(json, by, [&] {
      const auto message = message_of(json);
      CHECK((message == "accepted" || message.starts_with("r.json: ")));
    });
}

TEST_CASE("A file that is cut off is refused wherever it ends", "[results]") {
  const auto text = pretty(results_to_json(example()));
  for (std::size_t end = 0; end + 2 < text.size(); end += 97)
    CHECK_THROWS_AS(parse_json(text.substr(0, end), "r.json"), BadInput);
}

}  // namespace
}  // namespace harness::results
