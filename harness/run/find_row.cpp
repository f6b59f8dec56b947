#include "harness/run/find_row.hpp"

#include "harness/support/quantity.hpp"

#include <utility>

namespace harness::run {
namespace {

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

}  // namespace

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

void skip(results::Row& row, std::string reason) {
  row.judged.verdict = Verdict::skipped;
  row.reason = std::move(reason);
  row.stage = "select";
}

}  // namespace harness::run
