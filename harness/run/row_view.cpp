#include "harness/run/row_view.hpp"

#include "harness/core/fixed_work.hpp"
#include "harness/core/judged_figure.hpp"
#include "harness/core/median.hpp"
#include "harness/core/same_answer.hpp"
#include "harness/run/table_row.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace harness::run {
namespace {

/// The words of what a row compares, by Verdict and Outcome: the optimized side is less, as much, or more.
using Words = std::array<std::string_view, 3>;

Words words_of(const results::Row& row) {
  if (compares_timers(row.measured.figures)) return {"too much", "agrees", "too little"};
  if (results::is_rate(row.name) || row.step == "versus/printed") return {"better", "same", "worse"};
  if (row.measured.statistic != Statistic::median) return {"less", "same", "more"};
  return {"faster", "same", "slower"};
}

std::string_view word_among(const Words& words, Verdict verdict) {
  if (is_decided(verdict)) return words.at(static_cast<std::size_t>(verdict));
  return verdict == Verdict::inconclusive ? "cannot tell" : to_string(verdict);
}

/// docs/measuring.md, sections 5 and 6, has them with their limits. What can take a verdict away leads.
struct FlagWord {
  std::string_view flag, meaning;
};
constexpr std::array<FlagWord, 8> flag_words{{
    {"carryover", "one side suffers more than the other from what ran before it"},
    {"unstable machine", "a fixed piece of work was over 3 % off in over a fifth of the rounds"},
    {"throttled", "the GPU lowered its clocks"},
    {"power-imbalance", "one side meets the GPU's power limit more often"},
    {"too noisy", "its rounds scatter by more than 1.5 times the margin"},
    {"bimodal", "its rounds lie in two heaps"},
    {"autocorrelated", "its rounds resemble those before them"},
    {"asymmetric", "its rounds scatter more to one side"},
}};

bool has_times(const results::Row& row) { return row.naive_seconds > 0 && row.optimized_seconds > 0; }

std::string note_of(const results::Row& row) {
  std::vector<std::string> parts;
  if (!row.reason.empty()) parts.push_back(row.reason);
  if (mistake_hidden(row.measured.figures)) parts.push_back(row.sides.naive + ": was never wrong here");
  std::ranges::move(reasons_of(row.judged), std::back_inserter(parts));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

std::string flag_text(const std::string& flag, double off) {
  if (flag != "unstable machine" || off == 0) return flag;
  return fmt::format("{} (fixed work up to {} off)", flag, share_text(std::expm1(off)));
}

std::vector<std::string> reasons_of(const Judgement& judged) {
  auto reasons = judged.flags;
  std::ranges::stable_sort(reasons, {}, [](const std::string& flag) {
    return std::ranges::find(flag_words, flag, &FlagWord::flag) - flag_words.begin();
  });
  for (auto& reason : reasons) reason = flag_text(reason, judged.off);
  return reasons;
}

std::vector<std::string> flag_meanings(std::span<const results::Row> rows) {
  std::vector<std::string> meanings;
  for (const auto& word : flag_words)
    if (std::ranges::any_of(rows, [&](const results::Row& row) {
          return std::ranges::find(row.judged.flags, word.flag) != row.judged.flags.end();
        }))
      meanings.push_back(fmt::format("{}: {}", word.flag, word.meaning));
  return meanings;
}

std::string_view word_of(Verdict verdict) { return word_among({"faster", "same", "slower"}, verdict); }

std::string_view word_of(const results::Row& row) {
  if (has_one_form(row) && has_times(row)) return "timed";
  return word_among(words_of(row), row.judged.verdict);
}

std::string_view side_word(Form form) { return form == Form::naive ? "first side" : "second side"; }

std::string_view expected_word(const results::Row& row) {
  if (row.expected == Outcome::depends) return {};
  return words_of(row).at(static_cast<std::size_t>(row.expected));
}

bool has_one_form(const results::Row& row) { return row.sides.naive == fixed_work_side; }

bool contradicts_source(const results::Row& row) {
  const auto expected = expected_word(row);
  return is_decided(row.judged.verdict) && !expected.empty() && expected != word_of(row);
}

bool has_too_few_rounds(const results::Row& row) {
  return row.judged.verdict == Verdict::inconclusive &&
         std::ranges::any_of(row.judged.flags, [](const auto& flag) { return flag.starts_with("only "); });
}

std::optional<Interval> shown_interval(const results::Row& row) {
  return has_too_few_rounds(row) ? std::nullopt : row.judged.ratio_interval;
}

Ink verdict_ink(Verdict verdict) {
  constexpr std::array inks{Ink::green, Ink::plain, Ink::red, Ink::yellow, Ink::red, Ink::red, Ink::dim};
  return inks[static_cast<std::size_t>(verdict)];
}

Ink row_ink(const results::Row& row) {
  return has_one_form(row) && has_times(row) ? Ink::plain : verdict_ink(row.judged.verdict);
}

std::string published_text(const results::Row& row) {
  const bool says_nothing = row.name.ends_with("/device:cpu") && row.expected == Outcome::depends;
  return says_nothing && row.published != "no figure" ? "elsewhere: " + row.published : row.published;
}

RowView view_of(const results::Row& row) {
  RowView view{.sides = row.sides.naive + " -> " + row.sides.optimized, .word = word_of(row)};
  view.note = note_of(row);
  view.contradicts = contradicts_source(row) || mistake_hidden(row.measured.figures);
  if (row.published != "no figure")
    view.published = published_text(row);
  else if (contradicts_source(row))
    view.published = fmt::format("says {}", expected_word(row));
  else if (view.contradicts)
    view.published = "says it may be wrong";
  if (!has_times(row)) return view;
  if (has_one_form(row)) {
    view.sides = row.sides.optimized;
    view.before = view.after = judged_text(row, row.optimized_seconds);
    view.change = "-";
    return view;
  }
  const auto printed = [&](const auto& value) { return results::as_printed(row.name, value); };
  view.before = judged_text(row, printed(row.naive_seconds));
  view.after = judged_text(row, printed(results::shown_optimized(row)));
  view.change = change_text(printed(row.judged.ratio), printed(shown_interval(row)));
  view.decided_by = decided_by(row);
  view.sentence = evidence_sentence(row);
  return view;
}

std::string verdict_counts(std::span<const results::Row> rows, const Style& style) {
  constexpr std::array verdicts{Verdict::helps,   Verdict::no_effect, Verdict::hurts,  Verdict::inconclusive,
                                Verdict::invalid, Verdict::failed,    Verdict::skipped};
  std::vector<std::string> counts;
  struct Count {
    std::string_view word;
    Ink ink;
    int rows = 0;
  };
  std::vector<Count> words;
  for (const auto verdict : verdicts)
    for (const auto& row : rows) {
      if (row.judged.verdict != verdict) continue;
      auto found = std::ranges::find(words, word_of(row), &Count::word);
      if (found == words.end()) found = words.insert(found, {word_of(row), row_ink(row)});
      ++found->rows;
    }
  for (const auto& [word, ink, rows_of_it] : words)
    counts.push_back(fmt::format("{} {}", rows_of_it, inked(word, ink, style)));
  return fmt::format("{} {}: {}", rows.size(), rows.size() == 1 ? "row" : "rows", fmt::join(counts, ", "));
}

std::string SkippedAlike::text() const { return fmt::format("{} rows skipped: {}", rows, reason); }

std::vector<SkippedAlike> skipped_alike(std::span<const std::string> reasons) {
  std::vector<SkippedAlike> groups;
  for (const auto& reason : reasons) {
    auto found = std::ranges::find(groups, reason, &SkippedAlike::reason);
    if (found == groups.end()) found = groups.insert(found, {reason, 0});
    ++found->rows;
  }
  std::erase_if(groups, [](const SkippedAlike& group) { return group.rows < 2; });
  return groups;
}

namespace {

constexpr double host_apart = 0.1;  // CPU time and time, of a row whose time is the host's

/// Counts and CPU time are rank 0's. Where several ranks share a row's work it may only have moved to
/// another.
bool shared_by_ranks(const results::Row& row) {
  return std::ranges::any_of(row.measured.figures,
                             [](const Figure& figure) { return figure.name.starts_with("rank 1"); });
}

bool untold(const results::Row& row) {
  return row.judged.verdict == Verdict::inconclusive && row.rounds > 0 && !shared_by_ranks(row) &&
         row.measured.statistic != Statistic::figure && !compares_timers(row.measured.figures);
}

bool one_sided(CountedWork work) { return work == CountedWork::less || work == CountedWork::more; }

/// True if one thread of the host is at work as long as a run of the naive form lasts. Either the device
/// waits for it, or it asks again and again whether the device is done: CUDA's usual way to wait.
bool host_bound(const results::Row& row) {
  std::vector<double> shares;
  for (const auto& sample : row.measured.samples)
    if (sample.form == Form::naive && sample.seconds > 0)
      shares.push_back(sample.cpu_seconds / sample.seconds);
  return row.device.is_cuda() && !shares.empty() && std::abs(median(std::move(shares)) - 1) <= host_apart;
}

/// The share of the host's work that can differ at most, where that is less than the change of interest.
std::optional<double> counted_bound(const results::Row& row) {
  if (!untold(row) || !host_bound(row)) return std::nullopt;
  const auto share = counted_share(row.measured.figures);
  return share && *share < row.delta ? share : std::nullopt;
}

/// "differs by at most 0.1 %".
std::string differs(double share) {
  if (share == 0) return "does not differ";
  return fmt::format("differs by at most {:.1f} %", std::ceil(share * 1000) / 10);
}

bool told_by_cpu(const results::Row& row) { return row.cpu && row.cpu->verdict != Verdict::inconclusive; }

/// Three blocks more say nothing of a form that needs a tenth of the CPU time less.
bool told_by_counts(const results::Row& row) {
  const auto work = counted_work(row.measured.figures);
  const auto opposite = work == CountedWork::less ? Verdict::hurts : Verdict::helps;
  return one_sided(work) && !(row.cpu && row.cpu->verdict == opposite) && !counted_bound(row);
}

double difference(const Figure& figure) { return std::abs(figure.optimized - figure.naive); }

/// "operators" of "operators called": the noun of a count, as it stands behind the difference.
std::string noun_of(const Figure& figure) {
  const std::string_view s = difference(figure) == 1 ? "" : "s";
  if (figure.name == "operators called") return fmt::format("operator{}", s);
  if (figure.name == "blocks allocated") return fmt::format("allocated block{}", s);
  if (figure.name == "numbers read") return fmt::format("number{} read back", s);
  return figure.name == "memory allocated" ? "of memory" : figure.name;
}

std::string amount_of(const Figure& figure) {
  if (figure.unit == instructions_unit && figure.naive > 0)
    return share_text(difference(figure) / figure.naive);
  return figure.unit == "B" ? memory_text(difference(figure)) : plain_text(difference(figure));
}

/// "312 operators", "41 % of the instructions".
std::string counted(const Figure& figure) {
  return fmt::format("{} {}{}", amount_of(figure), figure.unit == instructions_unit ? "of the " : "",
                     noun_of(figure));
}

/// "3 rounds: -24.0 to -18.1 %, too few for a verdict"; empty where there are enough, or none.
std::string rounds_apart(const results::Row& row) {
  const auto counting = std::min(row.measured.log_ratios.size(), static_cast<std::size_t>(row.rounds));
  if (!has_too_few_rounds(row) || counting < 2) return {};
  const auto [low, high] = std::ranges::minmax(std::span(row.measured.log_ratios).first(counting));
  const auto ends = *results::as_printed(row.name, std::optional(Interval{std::exp(low), std::exp(high)}));
  return fmt::format("{} rounds: {} to {} %, too few for a verdict", counting, percent_text(ends.low),
                     percent_text(ends.high));
}

bool is_amount(const Figure& figure) { return figure.unit == "B" || figure.unit == instructions_unit; }

/// "a, b and c fewer". Empty without any.
std::string joined(const std::vector<std::string>& parts, std::string_view how) {
  if (parts.empty()) return {};
  if (parts.size() == 1) return fmt::format("{} {}", parts.front(), how);
  const auto last = parts.end() - 1;
  return fmt::format("{} and {} {}", fmt::join(parts.begin(), last, ", "), *last, how);
}

/// "a and b fewer, c less": what the second side has less of. Empty without any.
std::string fewer_text(const std::vector<Figure>& figures) {
  std::vector<std::string> counts, amounts;
  for (const auto& figure : figures) (is_amount(figure) ? amounts : counts).push_back(counted(figure));
  auto text = joined(counts, "fewer");
  if (!counts.empty() && !amounts.empty()) text += ", ";
  return text + joined(amounts, "less");
}

std::string more_text(const std::vector<Figure>& figures) {
  std::vector<std::string> parts;
  for (const auto& figure : figures) parts.push_back(counted(figure));
  return joined(parts, "more");
}

/// "less CPU time: -12.3 % [-13.0, -11.5]", in a word that says what its interval told.
std::string cpu_text(const results::CpuTime& cpu) {
  const auto* const word = cpu.verdict == Verdict::helps   ? "less"
                           : cpu.verdict == Verdict::hurts ? "more"
                                                           : "the same";
  return fmt::format("{} CPU time: {}", word, change_text(cpu.ratio, cpu.ratio_interval));
}

}  // namespace

bool told_otherwise(const results::Row& row) {
  return untold(row) && (told_by_counts(row) || told_by_cpu(row));
}

std::string_view decided_by(const results::Row& row) {
  if (!is_decided(row.judged.verdict)) return {};
  if (compares_timers(row.measured.figures)) return "timers";
  if (row.measured.statistic == Statistic::tail) return "scatter";
  return row.measured.statistic == Statistic::figure ? "figure" : "time";
}

std::string evidence_sentence(const results::Row& row) {
  const auto rounds = rounds_apart(row);
  if (!told_otherwise(row) && !counted_bound(row)) return rounds;
  return (rounds.empty() ? "time cannot tell" : rounds) + "; " + evidence_text(row);
}

std::string evidence_text(const results::Row& row) {
  std::vector<Figure> fewer, more;
  const auto counts = differing_counts(row.measured.figures);
  const bool has_calls = std::ranges::find(counts, "operators called", &Figure::name) != counts.end();
  for (const auto& figure : counts)
    if (!has_calls || !figure.name.starts_with("ATen operators per "))  // counts the same calls
      (figure.optimized < figure.naive ? fewer : more).push_back(figure);
  std::vector<std::string> parts;
  for (auto& part : {fewer_text(fewer), more_text(more)})
    if (!part.empty()) parts.push_back(part);
  if (untold(row) && told_by_counts(row) && !parts.empty())
    parts.front() = fmt::format("does {} work: {}", fewer.empty() ? "more" : "less", parts.front());
  if (told_by_cpu(row) && row.cpu->ratio_interval) parts.push_back(cpu_text(*row.cpu));
  if (const auto bound = counted_bound(row))
    parts.push_back(fmt::format("counted: the host's work {}", differs(*bound)));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string why_not_counted(const TwoTakes& naive, const TwoTakes& optimized, bool one_form) {
  if (one_form)
    return fmt::format("two counts of it lie apart by more than 0.5 %: {:.0f} and {:.0f}", optimized.one,
                       optimized.other);
  return fmt::format(
      "two counts of one side lie apart by more than 0.1 % and by more than a twentieth of what lies between "
      "the sides: {:.0f} and {:.0f} of the first, {:.0f} and {:.0f} of the second",
      naive.one, naive.other, optimized.one, optimized.other);
}

}  // namespace harness::run
