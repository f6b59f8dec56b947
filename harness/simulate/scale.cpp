#include "harness/simulate/scale.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/simulate/simulate.hpp"
#include "harness/simulate/simulate_text.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace harness::simulate {
namespace {

// Calls of one form at several scales, and what they are at another scale.

/// The calls of one place in all recordings do different things, or no line fits their numbers.
struct DoesNotScale : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::size_t fewest_scales = 3;  // two for the line, one to check it

/// Puts each number of a call on the line through the first two scales, a + b scale; where that misses the
/// others, on a + b scale^2.
class Fitter {
 public:
  Fitter(std::vector<double> scales, double wanted) : scales_(std::move(scales)), wanted_(wanted) {}

  /// The form at the wanted scale. Throws DoesNotScale. Calls of a small graph have few nodes, whose number
  /// is rounded: where one of them misses its line, all calls of its name together must not.
  FormRecord fit(const std::vector<const FormRecord*>& same);

  int calls = 0;     // that were fitted
  int together = 0;  // of their numbers, those that only fit together
  double worst = 0;  // how far a check is off where it is farthest: 0.01 is 1 %

 private:
  using Number = double Entry::*;
  using Values = std::vector<double>;  // at each scale
  struct Line {
    double at_wanted = 0, off = 0;
  };

  Line through(const Values& values, double power) const;
  double power_of(const Values& values) const;
  Entry fit_entry(const std::vector<const Entry*>& same);
  double fitted(const Values& values, const std::string& name, Number number);
  int blocks_at(const std::vector<const Entry*>& same, const Entry& fitted) const;

  std::vector<double> scales_;
  double wanted_;
  std::map<std::string, std::map<std::size_t, Values>> totals_;  // of a name's calls, by the number's place
};

constexpr double tolerance = 0.03;  // nodes are whole: sizes are rounded
constexpr double few = 65536;       // bytes or FLOP: a call's own cost hides what is that small
constexpr std::array counted_members{&Entry::bytes, &Entry::fresh, &Entry::sorted, &Entry::flop,
                                     &Entry::as_copy};

std::string kind_of_call(const Entry& entry) {
  return fmt::format("{} {} {} {} {} {}", static_cast<int>(entry.does), entry.name, entry.stream, entry.way,
                     entry.pageable, entry.nodes.size());
}

std::size_t place_of(double Entry::* number) {
  return static_cast<std::size_t>(std::ranges::find(counted_members, number) - counted_members.begin());
}

bool is_small(const std::vector<double>& values) { return std::ranges::max(values) <= few; }

FormRecord Fitter::fit(const std::vector<const FormRecord*>& same) {
  auto form = *same.front();
  form.unpriced = same.back()->unpriced;  // at the largest scale
  for (const auto* other : same)
    if (other->entries.size() != form.entries.size())
      throw DoesNotScale(fmt::format("the {} side makes {} calls at one scale and {} at another",
                                     side_of(form.form), form.entries.size(), other->entries.size()));
  totals_.clear();
  for (std::size_t scale = 0; scale < same.size(); ++scale)
    for (const auto& entry : same[scale]->entries)
      for (const auto number : counted_members) {
        auto& values = totals_[entry.name][place_of(number)];
        values.resize(same.size());
        values[scale] += entry.*number;
      }
  for (std::size_t i = 0; i < form.entries.size(); ++i) {
    std::vector<const Entry*> entries;
    for (const auto* one : same) entries.push_back(&one->entries[i]);
    form.entries[i] = fit_entry(entries);
  }
  return form;
}

Entry Fitter::fit_entry(const std::vector<const Entry*>& same) {
  auto entry = *same.front();
  for (const auto* other : same)
    if (kind_of_call(*other) != kind_of_call(entry))
      throw DoesNotScale(fmt::format("'{}' is '{}' at another scale", entry.name, other->name));
  for (const auto number : counted_members) {
    Values values;
    for (const auto* one : same) values.push_back(one->*number);
    entry.*number = std::ranges::max(values) == 0 ? 0 : fitted(values, entry.name, number);
  }
  entry.blocks = blocks_at(same, entry);
  for (std::size_t i = 0; i < entry.nodes.size(); ++i) {
    std::vector<const Entry*> nodes;
    for (const auto* one : same) nodes.push_back(&one->nodes[i]);
    entry.nodes[i] = fit_entry(nodes);
  }
  ++calls;
  return entry;
}

/// The value at the wanted scale, and how far the line is off at the scales that did not make it.
Fitter::Line Fitter::through(const Values& values, double power) const {
  const auto x = [&](std::size_t i) { return std::pow(scales_[i], power); };
  const auto slope = (values[1] - values[0]) / (x(1) - x(0));
  const auto at = [&](double where) { return values[0] + slope * (where - x(0)); };
  double off = 0;
  for (std::size_t i = fewest_scales - 1; i < values.size(); ++i)
    off = std::max(off, std::abs(at(x(i)) - values[i]) / std::max(values[i], 1.0));
  return {std::max(at(std::pow(wanted_, power)), 0.0), off};
}

/// 1 or 2, whichever misses less.
double Fitter::power_of(const Values& values) const {
  return through(values, 1).off <= through(values, 2).off ? 1 : 2;
}

double Fitter::fitted(const Values& values, const std::string& name, Number number) {
  const auto own = through(values, power_of(values));
  if (own.off <= tolerance || is_small(values)) {
    if (!is_small(values)) worst = std::max(worst, own.off);
    return own.at_wanted;
  }
  const auto found = totals_.find(name);
  if (found != totals_.end()) {
    const auto& total = found->second.at(place_of(number));
    const auto power = power_of(total);
    if (const auto all = through(total, power); all.off <= tolerance) {
      worst = std::max(worst, all.off);
      ++together;
      return through(values, power).at_wanted;
    }
  }
  throw DoesNotScale(fmt::format("'{}' has {:.0f}, {:.0f} and {:.0f} bytes or FLOP: no line", name, values[0],
                                 values[1], values[2]));
}

/// `fitted` has the call's bytes and FLOP at the wanted scale. A line through two recordings of one block,
/// which was not full, would say nothing: then blocks grow as the work does from the largest recording on.
int Fitter::blocks_at(const std::vector<const Entry*>& same, const Entry& fitted) const {
  const auto& last = *same.back();
  if (last.blocks == 0) return 0;
  Values values;
  for (const auto* one : same) values.push_back(one->blocks);
  const auto number = last.bytes > 0 ? &Entry::bytes : &Entry::flop;
  const auto growth = last.*number > 0 ? fitted.*number / last.*number : 1;
  const auto blocks = values[1] > 1 ? through(values, 1).at_wanted : last.blocks * growth;
  return std::max(1, static_cast<int>(std::lround(blocks)));
}

/// The row at the wanted scale, and what a reader must know of it.
RowRecord fitted_row(const std::vector<const RowRecord*>& same, const std::vector<Scaled>& recordings,
                     double scale) {
  if (std::ranges::count(same, nullptr) > 0) throw DoesNotScale("not recorded at every scale");
  for (const auto* one : same)
    if (!one->reason.empty()) throw DoesNotScale(one->reason);
  std::vector<double> scales;
  std::vector<std::string> texts;
  for (const auto& one : recordings) {
    scales.push_back(one.scale);
    texts.push_back(one.text);
  }
  Fitter fitter(scales, scale);
  RowRecord row{.row = same.front()->row};
  for (std::size_t i = 0; i < same.front()->forms.size(); ++i) {
    std::vector<const FormRecord*> forms;
    for (const auto* one : same) forms.push_back(&one->forms[i]);
    row.forms.push_back(fitter.fit(forms));
  }
  constexpr double percent = 100;
  row.note = fmt::format(
      "recorded at the scales {} and worked out at scale {:g}: bytes and FLOP of {} calls are at most {:.1f} "
      "% "
      "off their lines",
      fmt::join(texts, ", "), scale, fitter.calls, fitter.worst * percent);
  if (fitter.together > 0)
    row.note += fmt::format(", {} of them only together with others of their name", fitter.together);
  return row;
}

const RowRecord* find_row(const Recording& recording, const std::string& name) {
  const auto found = std::ranges::find(recording.rows, name, &RowRecord::row);
  return found == recording.rows.end() ? nullptr : &*found;
}

double scale_from(const std::string& text, const std::string& all) {
  const auto scale = parse_fraction(text);
  if (!scale || !(*scale > 0))
    throw BadInput(fmt::format("--scales {}: '{}' is not a scale; write 1/32,1/16,1/8", all, text));
  return *scale;
}

}  // namespace

Recording at_scale(const std::vector<Scaled>& recordings, double scale) {
  if (recordings.size() < fewest_scales)
    throw BadInput("--scales: three scales are needed: two for the line, and one to check it");
  Recording made;
  for (const auto& row : recordings.front().recording.rows) {
    std::vector<const RowRecord*> same;
    for (const auto& one : recordings) same.push_back(find_row(one.recording, row.row));
    try {
      made.rows.push_back(fitted_row(same, recordings, scale));
    } catch (const DoesNotScale& reason) {
      made.rows.push_back({.row = row.row, .reason = reason.what()});
    }
  }
  return made;
}

std::vector<Scaled> parse_scales(const std::string& text) {
  std::vector<Scaled> scales;
  for (std::size_t at = 0; at <= text.size();) {
    const auto comma = std::min(text.find(',', at), text.size());
    const auto one = text.substr(at, comma - at);
    scales.push_back({scale_from(one, text), one, {}});
    at = comma + 1;
  }
  for (std::size_t i = 1; i < scales.size(); ++i)
    if (scales[i].scale <= scales[i - 1].scale)
      throw BadInput(fmt::format("--scales {}: each scale must be above the one before", text));
  if (scales.size() < fewest_scales)
    throw BadInput(
        fmt::format("--scales {}: three scales are needed: two for the line, and one to check it", text));
  return scales;
}

namespace {

constexpr int sweep_values = 8;

double sweep_end(std::string_view number, std::string_view text) {
  const auto value = parse_number<double>(number);
  if (!value || !(*value > 0) || !std::isfinite(*value))
    throw BadInput(fmt::format("--sweep {}: expected NAME=A..B with numbers above 0", text));
  return *value;
}

std::string setting_text(const Sweep& sweep, double value) { return fmt::format("{}={}", sweep.name, value); }

}  // namespace

Sweep parse_sweep(std::string_view text, const Gpu& gpu) {
  const auto equals = text.find('=');
  const auto dots = text.find("..");
  if (equals == std::string_view::npos || dots == std::string_view::npos || dots < equals)
    throw BadInput(fmt::format("--sweep {}: expected NAME=A..B", text));
  const auto low = sweep_end(text.substr(equals + 1, dots - equals - 1), text);
  const auto high = sweep_end(text.substr(dots + 2), text);
  if (high <= low) throw BadInput(fmt::format("--sweep {}: the second number must be above the first", text));
  Sweep sweep{std::string(text.substr(0, equals)), {}};
  const auto require = [&](double value) {
    auto changed = gpu;
    set_value(changed, setting_text(sweep, value), "--sweep");
  };
  require(low);
  require(high);
  for (int i = 0; i < sweep_values; ++i) {
    const auto value = low * std::pow(high / low, static_cast<double>(i) / (sweep_values - 1));
    const auto next = is_whole(sweep.name) ? std::round(value) : value;
    if (sweep.values.empty() || next > sweep.values.back()) sweep.values.push_back(next);
  }
  return sweep;
}

std::string sweep_table(const Recording& recording, const std::vector<Gpu>& gpus, const Sweep& sweep,
                        const Style& style) {
  std::vector<std::string> titles{"simulated on"};
  for (const auto value : sweep.values) titles.push_back(digits_text(value));
  RowTable table(titles, style);
  for (const auto& row : recording.rows) {
    const auto unchanged = simulate_row(row, gpus.front());
    table.add_name(row.row,
                   unchanged.reason.empty() ? unchanged.note : "cannot simulate: " + unchanged.reason);
    for (const auto& gpu : gpus) {
      std::vector<std::string> cells{gpu.title};
      for (const auto value : sweep.values) {
        auto changed = gpu;
        set_value(changed, setting_text(sweep, value));
        const auto simulated = simulate_row(row, changed);
        cells.push_back(simulated.reason.empty() ? percent_text(simulated.ratio()) : "-");
      }
      table.add(std::move(cells));
    }
  }
  return fmt::format("{}\n\nChange in percent at each {}; - stands where it cannot be simulated.\n{}",
                     simulated_warning, sweep.name, table.text());
}

}  // namespace harness::simulate
