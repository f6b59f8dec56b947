#include "harness/simulate/scale.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace harness::simulate {
namespace {

constexpr std::size_t fewest = 3;   // two for the line, one to check it
constexpr double tolerance = 0.03;  // nodes are whole: sizes are rounded

/// The calls of one place in all recordings do different things, or no line fits their numbers.
struct DoesNotScale : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::string kind_of_call(const Entry& entry) {
  return fmt::format("{} {} {} {} {} {}", static_cast<int>(entry.does), entry.name, entry.stream, entry.way,
                     entry.pageable, entry.nodes.size());
}

class Fitter {
 public:
  Fitter(const std::vector<Scaled>& recordings, double scale) : recordings_(recordings), scale_(scale) {}

  Entry fit(const std::vector<const Entry*>& same) {
    auto entry = *same.front();
    for (const auto* other : same)
      if (kind_of_call(*other) != kind_of_call(entry))
        throw DoesNotScale(fmt::format("'{}' is '{}' at another scale", entry.name, other->name));
    for (auto number : {&Entry::bytes, &Entry::fresh, &Entry::flop})
      entry.*number = number_at(same, number, entry.name);
    entry.blocks = blocks_at(same, entry);
    for (std::size_t i = 0; i < entry.nodes.size(); ++i) {
      std::vector<const Entry*> nodes;
      for (const auto* one : same) nodes.push_back(&one->nodes[i]);
      entry.nodes[i] = fit(nodes);
    }
    ++calls;
    return entry;
  }

  int calls = 0;
  double worst = 0;

 private:
  /// The value at the wanted scale, and how far the line is off at the scales that did not make it.
  std::pair<double, double> through(const std::vector<double>& values, double power) const {
    const auto x = [&](std::size_t i) { return std::pow(recordings_[i].scale, power); };
    const auto slope = (values[1] - values[0]) / (x(1) - x(0));
    const auto at = [&](double where) { return values[0] + slope * (where - x(0)); };
    double off = 0;
    for (std::size_t i = fewest - 1; i < values.size(); ++i)
      off = std::max(off, std::abs(at(x(i)) - values[i]) / std::max(values[i], 1.0));
    return {std::max(at(std::pow(scale_, power)), 0.0), off};
  }

  double fitted(const std::vector<double>& values, const std::string& name) {
    const auto line = through(values, 1);
    const auto square = through(values, 2);
    const auto& best = line.second <= square.second ? line : square;
    constexpr double few = 65536;  // bytes or FLOP: a call's own cost hides what is that small
    if (best.second > tolerance && std::ranges::max(values) > few)
      throw DoesNotScale(fmt::format("'{}' has {:.0f}, {:.0f} and {:.0f} bytes or FLOP: no line", name,
                                     values[0], values[1], values[2]));
    if (std::ranges::max(values) > few) worst = std::max(worst, best.second);
    return best.first;
  }

  double number_at(const std::vector<const Entry*>& same, double Entry::* number, const std::string& name) {
    std::vector<double> values;
    for (const auto* one : same) values.push_back(one->*number);
    return std::ranges::max(values) == 0 ? 0 : fitted(values, name);
  }

  /// `fitted` has the call's bytes and FLOP at the wanted scale. A line through two recordings of one block,
  /// which was not full, would say nothing: then blocks grow as the work does from the largest recording on.
  int blocks_at(const std::vector<const Entry*>& same, const Entry& fitted) const {
    const auto& last = *same.back();
    if (last.blocks == 0) return 0;
    std::vector<double> values;
    for (const auto* one : same) values.push_back(one->blocks);
    const auto number = last.bytes > 0 ? &Entry::bytes : &Entry::flop;
    const auto growth = last.*number > 0 ? fitted.*number / last.*number : 1;
    const auto blocks = values[1] > 1 ? through(values, 1).first : last.blocks * growth;
    return std::max(1, static_cast<int>(std::lround(blocks)));
  }

  const std::vector<Scaled>& recordings_;
  double scale_;
};

FormRecord fit_form(const std::vector<const FormRecord*>& same, Fitter& fitter) {
  auto form = *same.front();
  for (const auto* other : same)
    if (other->entries.size() != form.entries.size())
      throw DoesNotScale(fmt::format("the {} form makes {} calls at one scale and {} at another", form.form,
                                     form.entries.size(), other->entries.size()));
  for (std::size_t i = 0; i < form.entries.size(); ++i) {
    std::vector<const Entry*> entries;
    for (const auto* one : same) entries.push_back(&one->entries[i]);
    form.entries[i] = fitter.fit(entries);
  }
  return form;
}

RowRecord fit_row(const std::vector<const RowRecord*>& same, Fitter& fitter) {
  RowRecord row{same.front()->row, {}};
  for (std::size_t i = 0; i < same.front()->forms.size(); ++i) {
    std::vector<const FormRecord*> forms;
    for (const auto* one : same) forms.push_back(&one->forms[i]);
    row.forms.push_back(fit_form(forms, fitter));
  }
  return row;
}

const RowRecord* find_row(const Recording& recording, const std::string& name) {
  const auto found = std::ranges::find(recording.rows, name, &RowRecord::row);
  return found == recording.rows.end() ? nullptr : &*found;
}

double scale_from(const std::string& text, const std::string& all) {
  const auto slash = text.find('/');
  const auto above = parse_number<double>(text.substr(0, slash));
  const auto below =
      slash == std::string::npos ? std::optional(1.0) : parse_number<double>(text.substr(slash + 1));
  if (!above || !below || !(*above > 0) || !(*below > 0) || !std::isfinite(*above / *below))
    throw BadInput(fmt::format("--scales {}: '{}' is not a scale; write 1/32,1/16,1/8", all, text));
  return *above / *below;
}

}  // namespace

AtScale at_scale(const std::vector<Scaled>& recordings, double scale) {
  if (recordings.size() < fewest)
    throw BadInput("--scales: three scales are needed: two for the line, and one to check it");
  AtScale made;
  Fitter fitter(recordings, scale);
  for (const auto& row : recordings.front().recording.rows) {
    std::vector<const RowRecord*> same;
    for (const auto& one : recordings) same.push_back(find_row(one.recording, row.row));
    try {
      if (std::ranges::count(same, nullptr) > 0) throw DoesNotScale("not recorded at every scale");
      made.recording.rows.push_back(fit_row(same, fitter));
    } catch (const DoesNotScale& reason) {
      made.left_out.push_back(fmt::format("{}: {}", row.row, reason.what()));
    }
  }
  made.calls = fitter.calls;
  made.worst = fitter.worst;
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
  if (scales.size() < fewest)
    throw BadInput(
        fmt::format("--scales {}: three scales are needed: two for the line, and one to check it", text));
  return scales;
}

}  // namespace harness::simulate
