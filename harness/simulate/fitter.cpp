#include "harness/simulate/fitter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace harness::simulate {
namespace {

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

}  // namespace

FormRecord Fitter::fit(const std::vector<const FormRecord*>& same) {
  auto form = *same.front();
  form.unpriced = same.back()->unpriced;  // at the largest scale
  for (const auto* other : same)
    if (other->entries.size() != form.entries.size())
      throw DoesNotScale(fmt::format("the {} form makes {} calls at one scale and {} at another", form.form,
                                     form.entries.size(), other->entries.size()));
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

}  // namespace harness::simulate
