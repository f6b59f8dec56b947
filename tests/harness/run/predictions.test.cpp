#include "harness/run/predictions.hpp"

#include "tests/golden.hpp"
#include "tests/harness/run/rows.hpp"

#include "harness/results/prediction.hpp"
#include "harness/results/row_json.hpp"
#include "harness/run/table_row.hpp"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <string_view>

namespace {

using namespace harness;
using namespace harness::results;
using namespace harness::run;

Prediction some() {
  return {.saving = 2.5e-3,
          .interval = {1.1e-3, 4.02e-3},
          .hidden = 12e-6,
          .explained = 0.64,
          .below = 20e-3,
          .removes = {{"operator calls", 914, 0, 2.4e-3, {1.08e-3, 3.9e-3}},
                      {"bytes that operators move", 25, 1.5e6, 55e-6, {50e-6, 60e-6}},
                      {"page faults", -3.5, 0, -4e-6, {-5e-6, -3e-6}}},
          .prices_taken = "2026-11-21T00:00:00Z"};
}

std::vector<Row> rows() {
  auto held = example::judged(example::row("stgym/no_anomaly", "device:cpu"), Verdict::helps,
                              {19.7e-3, 17.3e-3}, {0.868, 0.897});
  held.prediction = some();
  auto missed = held;
  missed.name += "/unit:epoch";
  missed.judged.ratio_interval = Interval{0.5, 0.6};
  missed.judged.ratio = 0.55;
  auto none = held;
  none.name = "format/channels_last_cpu/batch:1";
  none.prediction = no_prediction("the forms do not differ in anything that is counted");
  auto open = held;
  open.name = "stgym/inplace";
  open.judged.ratio_interval.reset();
  auto elsewhere = held;
  elsewhere.name = "stgym/stacked";
  elsewhere.prediction->elsewhere = Elsewhere{
      .machine = "AMD EPYC (1 core)", .started = "2026-11-24T15:59:22Z", .share = 0.125, .counted = 2.2e-3};
  return {held, missed, none, open, elsewhere};
}

TEST_CASE("the predictions look like the table in tests/golden", "[predict]") {
  const auto text = predictions_table(rows(), {});
  CHECK(text == tests::golden("predictions.txt", text));
}

TEST_CASE("where nothing was to be predicted there is no table", "[predict]") {
  CHECK(predictions_table(example::rows(), {}).empty());
}

TEST_CASE("in the table of rows a prediction stands below the change that it foretold", "[predict]") {
  const auto row = rows()[0];
  const auto text = table_row(row, &row, {});
  const auto second = text.find('\n') + 1;
  const auto predicted = text.find("-12.5 % [-20.1, -5.5]  the intervals meet");
  REQUIRE(predicted != text.npos);
  CHECK(text.find(" %") == predicted - second + std::string_view("-12.5").size());
}

TEST_CASE("a prediction from another machine's result names the machine and what counts say here",
          "[predict]") {
  const auto row = rows()[4];
  const auto text = table_row(row, &row, {});
  const auto change = text.find("-12.5 % [-20.1, -5.5]  the intervals meet\n");
  REQUIRE(change != text.npos);
  const auto below = text.find("-12.5 % on AMD EPYC (1 core), -11.0 % by counts here\n");
  REQUIRE(below != text.npos);
  const auto column = [&](std::size_t at) { return at - text.rfind('\n', at); };
  CHECK(column(below) == column(change));
}

TEST_CASE("a result elsewhere that saved more than all is refused, and so is a name for terminals' codes",
          "[predict]") {
  const auto good = prediction_to_json(rows()[4]);
  auto json = good;
  json["elsewhere"]["share"] = 1.01;
  CHECK_THROWS_AS(prediction_from_json(Field(json, "prediction")), BadInput);
  json = good;
  json["elsewhere"]["machine"] = "\x1b[2J";
  CHECK_THROWS_AS(prediction_from_json(Field(json, "prediction")), BadInput);
  CHECK(prediction_from_json(Field(good, "prediction")).elsewhere->counted == 2.2e-3);
}

TEST_CASE("an interval is in the unit of its larger end", "[predict]") {
  CHECK(saving_text(0, {-2e-6, 3.5e-6}) == "0 us [-2.00, 3.50]");
  CHECK(saving_text(-1.5e-3, {-12e-3, 0}) == "-1.50 ms [-12.0, 0]");
}

TEST_CASE("a prediction is read back as it was written, and its check worked out anew", "[predict]") {
  for (const auto& row : rows()) {
    const auto json = prediction_to_json(row);
    auto again = row;
    again.prediction = prediction_from_json(Field(json, "prediction"));
    CHECK(prediction_to_json(again) == json);
    CHECK(json.contains("measured") == (row.judged.ratio_interval && row.prediction->reason.empty()));
  }
}

TEST_CASE("an interval whose ends are swapped is refused", "[predict]") {
  auto json = prediction_to_json(rows()[0]);
  json["ci_ns"] = {2.0, 1.0};
  CHECK_THROWS_AS(prediction_from_json(Field(json, "prediction")), BadInput);
}

}  // namespace
