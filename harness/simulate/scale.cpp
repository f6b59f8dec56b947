#include "harness/simulate/scale.hpp"

#include "harness/core/parse_fraction.hpp"
#include "harness/core/setup.hpp"
#include "harness/simulate/fitter.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace harness::simulate {
namespace {

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

}  // namespace harness::simulate
