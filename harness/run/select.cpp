#include "harness/run/select.hpp"

#include "harness/results/results.hpp"
#include "harness/run/leave_one_out.hpp"
#include "harness/support/field.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fnmatch.h>
#include <iterator>
#include <set>
#include <sstream>
#include <tuple>

namespace harness::run {
namespace {

/// A value or a range of one `--point`. `value` is empty for a range.
struct PointFilter {
  std::string text;  // "n=256"
  std::string axis;
  std::string value;
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();

  /// True if the coordinate, which lies on this axis, is taken.
  bool takes(const Coordinate& at) const;
};

using Filters = std::span<const PointFilter>;

/// A row of the catalogue that this session may take.
struct Candidate {
  const catalogue::Step* step = nullptr;
  const catalogue::Row* row = nullptr;
};

/// Without FNM_PATHNAME a `*` also matches slashes, so "stgym/*" takes every row of every step of stgym.
bool glob(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

/// By its step, its row or its folder: "sync" is "sync/*".
bool matches(const std::string& pattern, const catalogue::Step& step, const catalogue::Row& row) {
  return glob(pattern, step.id) || glob(pattern, row.name) || glob(pattern + "/*", step.id);
}

bool matches(const std::string& pattern, const Candidate& planned) {
  return matches(pattern, *planned.step, *planned.row);
}

bool matches_any(const std::vector<std::string>& patterns, const Candidate& planned) {
  return patterns.empty() ||
         std::ranges::any_of(patterns, [&](const auto& p) { return matches(p, planned); });
}

/// False for the rows on the CPU where a CUDA device was asked for, and for the kind of device on which this
/// session does not run the steps of Runs::session. A row that is named in full always belongs.
bool belongs(const catalogue::Step& step, const catalogue::Row& row, const Selection& selection) {
  if (std::ranges::find(selection.patterns, row.name) != selection.patterns.end()) return true;
  const bool cuda = row.device == Device::Kind::cuda;
  const bool asked_for_cuda = !selection.device.automatic && selection.device.device.is_cuda();
  if (step.runs == Runs::session)
    return cuda == (asked_for_cuda || (selection.device.automatic && selection.has_cuda));
  return cuda || step.runs == Runs::host || !asked_for_cuda;
}

std::vector<Candidate> rows_of_session(const catalogue::Catalogue& catalogue, const Selection& selection) {
  std::vector<Candidate> rows;
  for (const auto& step : catalogue.steps)
    for (const auto& row : step.rows)
      if (belongs(step, row, selection)) rows.push_back({&step, &row});
  return rows;
}

/// A row fits when each of its axes that is filtered has a value that one of the axis's filters takes.
bool fits(const catalogue::Row& row, Filters filters) {
  return std::ranges::all_of(row.at, [&](const Coordinate& c) {
    bool filtered = false;
    for (const auto& filter : filters) {
      if (filter.axis != c.axis) continue;
      if (filter.takes(c)) return true;
      filtered = true;
    }
    return !filtered;
  });
}

/// A filtered axis gives all of its values, whatever the suite; the others those of the suite. A row of no
/// suite comes with a filter only.
bool in_suite(const Candidate& planned, Suite suite, Filters filters) {
  const auto named = [&](const Coordinate& c) {
    return std::ranges::find(filters, c.axis, &PointFilter::axis) != filters.end();
  };
  const auto& rows = planned.step->rows;
  const auto named_or_in = [&](bool catalogue::Row::* part) {
    return std::ranges::all_of(planned.row->at, [&](const Coordinate& c) {
      return named(c) || std::ranges::any_of(rows, [&](const catalogue::Row& other) {
               return other.*part && std::ranges::find(other.at, c) != other.at.end();
             });
    });
  };
  if (suite == Suite::full) {
    const bool apart = std::ranges::none_of(rows, &catalogue::Row::full);
    return planned.row->full ||
           (std::ranges::any_of(planned.row->at, named) && (apart || named_or_in(&catalogue::Row::full)));
  }
  const auto part = suite == Suite::quick ? &catalogue::Row::quick : &catalogue::Row::claims;
  return planned.row->*part || (!planned.row->at.empty() && named_or_in(part));
}

/// A step without a row in any suite is taken when it is named, or with its folder in the full suite.
bool is_asked_for(const Candidate& planned, const Selection& selection) {
  const auto& step = *planned.step;
  if (is_leave_one_out(step.id) && !selection.leave_one_out)
    return std::ranges::any_of(selection.patterns, [&](const std::string& pattern) {
      return pattern.find("leave_one_out") != pattern.npos && matches(pattern, planned);
    });
  if (is_leave_one_out(step.id)) return true;
  if (std::ranges::any_of(step.rows, &catalogue::Row::full)) return false;
  return std::ranges::any_of(selection.patterns, [&](const std::string& pattern) {
    return pattern == step.id || (selection.suite == Suite::full && matches(pattern, planned));
  });
}

void require_match(const catalogue::Catalogue& catalogue, const std::string& pattern) {
  std::vector<std::string> names;
  std::string known;
  for (const auto& step : catalogue.steps) {
    if (step.id.starts_with("selftest/"))  // `list` does not show them
      known +=
          (known.empty() ? "; 'tuneproof list' shows the steps; the self-test's pairs are " : ", ") + step.id;
    names.push_back(step.id.substr(0, step.id.find('/')) + "/*");
    names.push_back(step.id);
  }
  for (const auto& step : catalogue.steps)
    for (const auto& row : step.rows) {
      if (matches(pattern, step, row)) return;
      names.push_back(row.name);
    }
  if (std::ranges::find(suite_names, pattern) != std::end(suite_names))
    throw BadInput(fmt::format("'{}' is a suite and no step; write --suite {}", pattern, pattern));
  const auto near = did_you_mean(pattern, names);
  if (known.empty()) known = "; run 'tuneproof list' to see them all";
  throw BadInput(fmt::format("no step or row matches '{}'{}", pattern, near.empty() ? known : near));
}

void require_axis(const std::vector<Candidate>& rows, const PointFilter& filter) {
  std::vector<std::string> axes;
  std::set<std::pair<std::int64_t, std::string>> values;  // by size, not by the order of the steps
  for (const auto& planned : rows)
    for (const auto& c : planned.row->at) {
      if (std::ranges::find(axes, c.axis) == axes.end()) axes.push_back(c.axis);
      if (c.axis != filter.axis) continue;
      if (filter.takes(c)) return;
      values.emplace(c.value, c.text);
    }
  std::vector<std::string> named;
  for (const auto& [value, text] : values)  // steps may have the same word at other places of their lists
    if (std::ranges::find(named, text) == named.end()) named.push_back(text);
  if (!named.empty())
    throw BadInput(fmt::format("--point {} leaves no row; the values of {} are {}", filter.text, filter.axis,
                               fmt::join(named, ", ")));
  throw BadInput(fmt::format("--point {}: no selected step has an axis '{}'; {}", filter.text, filter.axis,
                             axes.empty() ? "they have no axes" : "expected " + join_or(axes)));
}

/// Why a pattern that matches rows of the catalogue leaves none here.
[[noreturn]] void explain_nothing(const std::string& pattern, const std::vector<Candidate>& session_rows,
                                  Filters filters) {
  const auto here = [&](const Candidate& planned) { return matches(pattern, planned); };
  const auto name = "'" + pattern + "'";
  if (std::ranges::none_of(session_rows, here))
    throw BadInput(name + " matches only rows of a device that this session does not use; see --device");
  if (!filters.empty()) throw BadInput(name + " has no row that matches all --point options together");
  throw BadInput(name + " matches only points of the full suite; add --suite full");
}

void require_ladder(const std::vector<Candidate>& chosen, const catalogue::Catalogue& catalogue) {
  std::vector<std::string> steps;
  for (const auto& planned : chosen) steps.push_back(planned.step->id);
  if (std::ranges::none_of(steps, is_leave_one_out))
    throw BadInput("--leave-one-out applies to whole ladders, but none is selected; add " +
                   ladders_for(steps, catalogue));
}

/// "stgym/" is "stgym/*".
std::vector<std::string> readers_of(const catalogue::Option& option) {
  std::istringstream words(option.steps);
  std::vector<std::string> patterns;
  for (std::string word; words >> word;) patterns.push_back(word + "*");
  return patterns;
}

/// "; the selected rows read --text or --log", or nothing where they read none.
std::string options_read_by(const std::vector<results::Row>& rows, const catalogue::Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const auto& option : catalogue.options)
    if (std::ranges::any_of(rows, [&](const results::Row& row) { return reads(row, option); }))
      names.push_back("--" + option.name);
  return names.empty() ? std::string() : "; the selected rows read " + join_or(names);
}

[[noreturn]] void refuse(const std::string& text) {
  throw BadInput("--point " + text + " is not AXIS=VALUES: write n=256, n=256,1K or bytes=1M..16M");
}

std::int64_t bound(const std::string& text, std::string_view side, std::int64_t open) {
  if (side.empty()) return open;
  const auto size = parse_size(side);
  if (!size)
    throw BadInput("--point " + text + ": '" + std::string(side) +
                   "' is not a number such as 256, 64K or 16MiB");
  return *size;
}

PointFilter filter_of(const std::string& text, const std::string& axis, const std::string& value) {
  if (value.empty()) refuse(text);
  PointFilter filter{.text = axis + "=" + value, .axis = axis, .value = value};
  const auto dots = value.find("..");
  if (dots == value.npos) return filter;
  const auto low = value.substr(0, dots);
  const auto high = value.substr(dots + 2);
  if (low.empty() && high.empty()) refuse(text);
  filter.low = bound(text, low, filter.low);
  filter.high = bound(text, high, filter.high);
  if (filter.low > filter.high) throw BadInput("--point " + filter.text + " ends before it begins");
  filter.value.clear();
  return filter;
}

/// Reads "bytes=1M..16MiB", "bytes=1M..", "n=256", "as=threads,processes"; throws BadInput otherwise.
std::vector<PointFilter> parse_points(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == text.npos || equals == 0) refuse(text);
  std::vector<PointFilter> filters;
  for (auto begin = equals + 1; begin <= text.size();) {
    const auto comma = std::min(text.find(',', begin), text.size());
    filters.push_back(filter_of(text, text.substr(0, equals), text.substr(begin, comma - begin)));
    begin = comma + 1;
  }
  return filters;
}

/// Blank, or skipped where the session has no device for it.
results::Row first_row(const catalogue::Step& step, const catalogue::Row& planned,
                       const Selection& selection) {
  results::Row row;
  row.name = planned.name;
  row.step = step.id;
  row.at = planned.at;
  row.device = {planned.device, 0};
  row.sides = {step.naive, step.optimized};
  row.expected = planned.expected;
  row.published = step.published;
  row.delta = step.delta;
  if (!row.device.is_cuda()) return row;
  const auto& choice = selection.device;
  if (choice.device.is_cuda()) row.device = choice.device;
  if (!choice.automatic && !choice.device.is_cuda())
    skip(row, "the run uses --device cpu");
  else if (!selection.has_cuda)
    skip(row, "no CUDA device");
  return row;
}

/// The share of a row's time after which a plain row has its verdict: the rehearsal and three of fourteen
/// rounds.
constexpr double first_verdict = 0.4;

}  // namespace

std::vector<results::Row> select_rows(const catalogue::Catalogue& catalogue, const Selection& selection) {
  std::vector<PointFilter> filters;
  for (const auto& text : selection.points)
    std::ranges::move(parse_points(text), std::back_inserter(filters));
  for (const auto& pattern : selection.patterns) require_match(catalogue, pattern);

  const auto session_rows = rows_of_session(catalogue, selection);
  std::vector<Candidate> matched;
  std::ranges::copy_if(session_rows, std::back_inserter(matched),
                       [&](const auto& planned) { return matches_any(selection.patterns, planned); });
  if (!matched.empty())
    for (const auto& filter : filters) require_axis(matched, filter);

  std::vector<Candidate> chosen;
  for (const auto& planned : matched) {
    const bool by_its_name =
        std::ranges::find(selection.patterns, planned.row->name) != selection.patterns.end();
    if (fits(*planned.row, filters) &&
        (by_its_name || is_asked_for(planned, selection) || in_suite(planned, selection.suite, filters)))
      chosen.push_back(planned);
  }
  for (const auto& pattern : selection.patterns)
    if (std::ranges::none_of(chosen, [&](const auto& planned) { return matches(pattern, planned); }))
      explain_nothing(pattern, session_rows, filters);
  if (selection.leave_one_out) require_ladder(chosen, catalogue);
  if (chosen.empty()) throw BadInput("no row matches all --point options together");
  std::vector<results::Row> rows;
  for (const auto& candidate : chosen) rows.push_back(first_row(*candidate.step, *candidate.row, selection));
  return rows;
}

bool reads(const results::Row& row, const catalogue::Option& option) {
  return std::ranges::any_of(readers_of(option), [&](const std::string& pattern) {
    return fnmatch(pattern.c_str(), row.name.c_str(), 0) == 0;
  });
}

void require_use(const Options& options, const std::vector<results::Row>& rows,
                 const catalogue::Catalogue& catalogue) {
  for (const auto& option : catalogue.options) {
    if (!options.contains(option.name)) continue;
    if (std::ranges::none_of(rows, [&](const results::Row& row) { return reads(row, option); }))
      throw BadInput(fmt::format("--{} applies to the steps {}, but none of them is selected{}", option.name,
                                 join_or(readers_of(option)), options_read_by(rows, catalogue)));
  }
}

StepAt find_row(Steps steps, std::string_view name, int cuda_index) {
  const Device cpu;
  const Device cuda{Device::Kind::cuda, cuda_index};
  for (const auto* step : steps) {
    if (!name.starts_with(step->id)) continue;
    for (const auto& device : {cpu, cuda}) {
      if (step->runs == (device.is_cuda() ? Runs::host : Runs::cuda)) continue;
      for (auto& point : points(*step, device))
        if (row_name(*step, point, device) == name) return {step, std::move(point), device};
    }
  }
  throw std::out_of_range("the worker has no row '" + std::string(name) +
                          "'; program and worker come from different builds");
}

bool PointFilter::takes(const Coordinate& at) const {
  const bool numeric = parse_size(at.text) == at.value;  // a label's value is only its place in the list
  if (value.empty()) return numeric && low <= at.value && at.value <= high;
  return at.text == value || (numeric && parse_size(value) == at.value);
}

void skip(results::Row& row, std::string reason) {
  row.judged.verdict = Verdict::skipped;
  row.reason = std::move(reason);
  row.stage = "select";
}

std::string fit_budget(std::vector<results::Row>& rows, const Duration& budget,
                       const std::function<double(const results::Row&)>& seconds) {
  std::vector<results::Row*> open;
  for (auto& row : rows)
    if (!results::is_error(row)) open.push_back(&row);
  std::ranges::stable_sort(open, {}, [&](const results::Row* row) {
    return std::tuple(row->expected == Outcome::depends, seconds(*row));
  });
  double taken = 0;
  std::vector<std::string> left;
  for (auto* row : open) {
    const auto takes = first_verdict * seconds(*row);
    if (taken == 0 || taken + takes <= budget.time.count()) {
      taken += takes;
      continue;
    }
    skip(*row, fmt::format("the budget of {} has no time for it", budget.text));
    left.push_back(row->name);
  }
  if (left.empty()) return {};
  return fmt::format(
      "the budget of {} has time for {} of {} rows, those with a published outcome first; left out: {}",
      budget.text, open.size() - left.size(), open.size(), fmt::join(left, ", "));
}

}  // namespace harness::run
