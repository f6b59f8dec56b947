#include "harness/predict/predict.hpp"

#include "harness/core/median.hpp"
#include "harness/predict/bracket.hpp"
#include "harness/results/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

namespace harness::predict {
namespace {

constexpr double nothing = 1e-9;  // of a count that is a mean over runs

/// below - above, without what both have alike.
Counts removed(const Counts& below, const Counts& above) {
  auto left = below;
  for (const auto& [work, times] : above) left[work] -= times;
  std::erase_if(left, [](const auto& entry) { return std::abs(entry.second) < nothing; });
  return left;
}

/// A price times a count, which turns around where the count is negative.
struct Worth {
  double low = 0;
  double middle = 0;
  double high = 0;
  void add(const Price& price, double times) {
    middle += price.middle * times;
    low += (times < 0 ? price.high : price.low) * times;
    high += (times < 0 ? price.low : price.high) * times;
  }
};

/// The pieces of one kind lie all at the dear or all at the cheap end: errors of a price do not cancel.
struct Kind {
  Worth worth;
  double count = 0;
  double amount = 0;
};

/// Seconds at the middle price; what has none counts nothing here.
double priced(const Counts& counts, const PriceBook& prices) {
  Worth worth;
  for (const auto& [work, times] : counts)
    if (const auto price = prices.price_of(work)) worth.add(*price, times);
  return worth.middle;
}

results::Prediction none(std::string reason, results::Prediction rest = {}) {
  rest.reason = std::move(reason);
  rest.saving = 0;
  rest.interval = {};
  return rest;
}

/// The first work without a price; "" where all have one.
std::string without_price(const Counts& counts, const PriceBook& prices) {
  for (const auto& [work, times] : counts)
    if (!prices.price_of(work))
      return std::string(to_string(work.piece)) + (work.type.empty() ? "" : " in " + work.type);
  return {};
}

std::vector<results::RemovedWork> by_kind(const Counts& counts, const PriceBook& prices) {
  std::map<Piece, Kind> kinds;
  for (const auto& [work, times] : counts) {
    auto& kind = kinds[work.piece];
    kind.count += times;
    kind.amount += times * static_cast<double>(work.size);
    kind.worth.add(*prices.price_of(work), times);
  }
  std::vector<results::RemovedWork> all;
  for (const auto& [piece, kind] : kinds)
    all.push_back({.what = std::string(to_string(piece)),
                   .count = kind.count,
                   .amount = kind.amount,
                   .seconds = kind.worth.middle,
                   .interval = {kind.worth.low, kind.worth.high}});
  return all;
}

void sort_by_weight(std::vector<results::RemovedWork>& all) {
  std::ranges::stable_sort(all, std::ranges::greater(),
                           [](const results::RemovedWork& work) { return std::abs(work.seconds); });
}

/// What running an operator again includes.
bool is_run_again(const Work& work) {
  switch (work.piece) {
    case Piece::call:
    case Piece::view:
    case Piece::item:
    case Piece::allocation:
    case Piece::bytes:
    case Piece::product:
    case Piece::page_fault:
      return true;
    default:
      return false;
  }
}

Counts without_replayed(Counts counts) {
  std::erase_if(counts, [](const auto& entry) { return is_run_again(entry.first); });
  return counts;
}

/// Operators of one form alone, from their own times; what else a form does keeps its price. `sign`: 1 where
/// the tip removes them, -1 where it adds them.
results::RemovedWork replayed_work(const std::vector<double>& turns, int calls, double sign) {
  const auto [low, high] = std::ranges::minmax(turns);
  return {.what = std::string(results::run_again),
          .count = sign * calls,
          .seconds = sign * median(turns),
          .interval = sign > 0 ? Interval{low, high} : Interval{-high, -low}};
}

bool has_replay(const Before& before) {
  return before.replay && before.replay->reason.empty() && !before.replay->removed.empty();
}

}  // namespace

results::Prediction predict(const Before& before, const PriceBook& prices) {
  if (!(before.below_seconds > 0)) return none("the form below took no time under the profiler");
  const bool replayed = has_replay(before);
  const auto below = replayed ? without_replayed(before.below.exposed) : before.below.exposed;
  const auto above = replayed ? without_replayed(before.above.exposed) : before.above.exposed;
  const auto less = removed(below, above);
  const auto less_hidden = removed(before.below.hidden, before.above.hidden);
  const bool operators_differ = replayed && before.replay->removed_calls + before.replay->added_calls > 0;
  if (less.empty() && less_hidden.empty() && !operators_differ)
    return none("the forms do not differ in anything that is counted");
  const auto missing = without_price(less, prices);
  if (!missing.empty()) return none(missing + " cannot be priced here");

  results::Prediction prediction;
  prediction.below = before.below_seconds;
  prediction.prices_taken = prices.origin().taken;
  prediction.hidden = priced(less_hidden, prices);
  const double to_explain = before.below_seconds - before.below.kernel_seconds;
  const double explained = priced(below, prices) + (replayed ? median(before.replay->naive) : 0);
  prediction.explained = to_explain > 0 ? explained / to_explain : 0;
  prediction.removes = by_kind(less, prices);
  if (replayed && before.replay->removed_calls > 0)
    prediction.removes.push_back(replayed_work(before.replay->removed, before.replay->removed_calls, 1));
  if (replayed && before.replay->added_calls > 0)
    prediction.removes.push_back(replayed_work(before.replay->added, before.replay->added_calls, -1));
  sort_by_weight(prediction.removes);
  if (prediction.explained < least_explained || prediction.explained > 1 / least_explained) {
    auto reason = fmt::format(
        "the counted work is worth {:.0f} % of the time that the form below takes, so {} "
        "not describe it",
        100 * prediction.explained, replayed ? "its operators do" : "the price list does");
    return none(std::move(reason), std::move(prediction));
  }
  bracket(prediction);
  return prediction;
}

}  // namespace harness::predict
