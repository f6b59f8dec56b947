#include "harness/tune/proof.hpp"

#include "harness/run/row_view.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace harness::tune {
namespace {

constexpr std::size_t most_of_search = 3;
constexpr std::array<const char*, most_of_search> places{"best", "second", "third"};

void add(std::vector<Candidate>& all, std::string label, const Found& found, const Found& standard) {
  all.push_back({.label = std::move(label),
                 .settings = found.settings,
                 .promised = found.seconds_per_sample / standard.seconds_per_sample,
                 .place = std::ssize(all) + 1});
}

const results::Row* row_at(const results::Results& results, std::int64_t place) {
  const auto here = [&](const results::Row& row) {
    return std::ranges::any_of(row.at,
                               [&](const auto& at) { return at.axis == "setting" && at.value == place; });
  };
  const auto found = std::ranges::find_if(results.rows, here);
  return found == results.rows.end() ? nullptr : &*found;
}

bool was_measured(const Proven& one) {
  return one.row != nullptr && !results::is_error(*one.row) && one.row->judged.ratio_interval;
}

std::string nothing_measured(const std::vector<Proven>& all) {
  const auto begun = [](const Proven& one) { return one.row != nullptr && !results::is_error(*one.row); };
  if (std::ranges::any_of(all, begun))
    return "Nothing was proven: too few rounds fitted into the budget for a verdict; the same command with a "
           "larger --budget goes on.";
  return "Nothing was proven: no candidate was measured.";
}

/// The loss is the one figure without a unit beside the times.
std::optional<double> loss_ratio(const results::Row& row) {
  for (const auto& figure : row.measured.figures)
    if (figure.name == "validation loss" && figure.naive > 0) return figure.optimized / figure.naive;
  return std::nullopt;
}

}  // namespace

std::vector<Candidate> candidates(const Plan& plan, std::span<const Tried> trials, std::size_t most) {
  const auto standard = standard_found(plan, trials);
  std::vector<Candidate> all;
  if (!standard) return all;
  const auto best = best_first(plan, trials);
  const auto advised = advised_settings(plan);
  const auto is_advised = [&](const Found& found) {
    return std::ranges::find(advised, found.settings) != advised.end();
  };
  const auto advice = std::ranges::find_if(best, is_advised);
  const auto of_search = std::min(most_of_search, most < 2 ? most : most - 1);
  for (const auto& found : best) {
    if (all.size() == of_search || found.seconds_per_sample >= standard->seconds_per_sample) break;
    add(all, places.at(all.size()), found, *standard);
  }
  const bool there =
      advice != best.end() && std::ranges::find(all, advice->settings, &Candidate::settings) != all.end();
  if (advice != best.end() && !there && all.size() < most) add(all, "advice", *advice, *standard);
  return all;
}

std::vector<Proven> proven(const Plan& plan, const std::vector<Candidate>& candidates,
                           const results::Results* results) {
  std::vector<Proven> all;
  for (const auto& candidate : candidates) {
    Proven one{.candidate = candidate,
               .row = results == nullptr ? nullptr : row_at(*results, candidate.place),
               .loss_ratio = {}};
    if (one.row != nullptr) one.loss_ratio = loss_ratio(*one.row);
    one.loss_holds = !one.loss_ratio || *one.loss_ratio <= 1 + plan.margin;
    all.push_back(std::move(one));
  }
  return all;
}

const Proven* winner(const std::vector<Proven>& all) {
  const Proven* best = nullptr;
  for (const auto& one : all)
    if (was_measured(one) && one.row->judged.verdict == Verdict::helps && one.loss_holds &&
        (best == nullptr || one.row->judged.ratio < best->row->judged.ratio))
      best = &one;
  return best;
}

std::string proof_text(const Proven& one) {
  const auto promised = fmt::format("promised {} %", percent_text(one.candidate.promised));
  if (one.row == nullptr) return promised + ", not measured";
  if (results::is_error(*one.row)) return fmt::format("{}, not measured: {}", promised, one.row->reason);
  auto text = fmt::format("{}, measured {}: {}", promised,
                          change_text(one.row->judged.ratio, one.row->judged.ratio_interval),
                          run::word_of(one.row->judged.verdict));
  if (!one.loss_holds)
    text += fmt::format("; its loss on other seeds is {} % worse", percent_text(*one.loss_ratio).substr(1));
  return text;
}

std::string conclusion(const std::vector<Proven>& all, bool compared) {
  if (!compared)
    return "Nothing was compared: the search ended before the standard settings were trained; the same "
           "command "
           "goes on, with a larger --budget if there is one.";
  if (all.empty()) return "The search found nothing faster than the standard settings that keeps the limits.";
  if (const auto* best = winner(all))
    return fmt::format("Proven: the {} settings change the time of a training by {}.",
                       best->candidate.label == "advice" ? "advised" : best->candidate.label,
                       change_text(best->row->judged.ratio, best->row->judged.ratio_interval));
  if (std::ranges::none_of(all, was_measured)) return nothing_measured(all);
  return "Nothing better than the standard settings was proven: what the search claimed did not stand.";
}

}  // namespace harness::tune
