#include "harness/compare/ladder_picture.hpp"

#include "harness/compare/run_file.hpp"
#include "harness/run/verdict_text.hpp"
#include "harness/support/quantity.hpp"
#include "harness/tensorboard/canvas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

namespace harness::compare {
namespace {

using tensorboard::Canvas;
using tensorboard::Colour;

constexpr Colour ink{40, 40, 40}, before{165, 165, 165};
constexpr int margin = 16, bars_width = 480, bar_height = 12, rung_height = 40, title_height = 64;
constexpr std::size_t most_rungs = 200;  // what a picture of 16384 pixels surely holds

/// A timed row, and what stands beside it.
struct PictureRung {
  std::string label, told;
  double naive = 0, optimized = 0;  // s
  Verdict verdict = Verdict::inconclusive;
};

/// "single_tail/against:below" of "stgym/single_tail/against:below/unit:step/device:cpu".
std::string rung_label(const results::Row& row, const std::string& unit) {
  auto label = row.name.substr(row.name.find('/') + 1);
  for (const auto& part : {"/unit:" + unit, "/device:" + to_string(row.device)})
    if (const auto at = label.find(part); at != std::string::npos) label.erase(at, part.size());
  return label;
}

PictureRung rung_of(const results::Row& row, const std::string& unit) {
  const auto naive = form_seconds(row, Form::naive), optimized = form_seconds(row, Form::optimized);
  return {.label = rung_label(row, unit),
          .told = fmt::format("{} -> {}  {} %  {}", time_text(naive), time_text(optimized),
                              percent_text(row.judged.ratio), run::verdict_text(row.judged.verdict)),
          .naive = naive,
          .optimized = optimized,
          .verdict = row.judged.verdict};
}

Colour colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::helps:
      return {20, 130, 80};
    case Verdict::hurts:
      return {190, 60, 30};
    case Verdict::no_effect:
      return {70, 110, 190};
    default:
      return {215, 170, 70};
  }
}

template <class Text>
int widest(std::span<const PictureRung> rungs, const Text& text) {
  int width = 0;
  for (const auto& rung : rungs) width = std::max(width, Canvas::text_width(text(rung)));
  return width;
}

int bar_of(double seconds, double longest) {
  return std::max(1, static_cast<int>(seconds / longest * bars_width));
}

tensorboard::Image drawn(const std::string& title, std::span<const PictureRung> rungs) {
  const auto labels = widest(rungs, [](const PictureRung& rung) { return rung.label; });
  const auto told = widest(rungs, [](const PictureRung& rung) { return rung.told; });
  const int left = margin + labels + margin, right = left + bars_width + margin;
  const auto width = std::max(right + told, margin + Canvas::text_width(title, 3)) + margin;
  Canvas canvas(std::min(width, 16384), title_height + static_cast<int>(rungs.size()) * rung_height + margin);
  canvas.write(margin, margin, title, ink, 3);
  double longest = 0;
  for (const auto& rung : rungs) longest = std::max({longest, rung.naive, rung.optimized});
  int y = title_height;
  for (const auto& rung : rungs) {
    canvas.write(margin, y + 5, rung.label, ink);
    canvas.fill({left, y, bar_of(rung.naive, longest), bar_height}, before);
    canvas.fill({left, y + bar_height, bar_of(rung.optimized, longest), bar_height}, colour_of(rung.verdict));
    canvas.write(right, y + 5, rung.told, ink);
    y += rung_height;
  }
  return canvas.image();
}

}  // namespace

std::vector<LadderPicture> ladder_pictures(const results::Results& run) {
  std::map<std::string, std::vector<PictureRung>> ladders;
  for (const auto& row : run.rows) {
    const auto unit = std::ranges::find(row.at, "unit", &Coordinate::axis);
    if (unit == row.at.end() || is_error(row) || !(form_seconds(row, Form::naive) > 0) ||
        !(form_seconds(row, Form::optimized) > 0))
      continue;
    const auto workload = row.step.substr(0, row.step.find('/'));
    auto& rungs = ladders[fmt::format("{}/{}/{}", workload, unit->text, to_string(row.device))];
    if (rungs.size() < most_rungs) rungs.push_back(rung_of(row, unit->text));
  }
  std::vector<LadderPicture> pictures;
  for (const auto& [name, rungs] : ladders)
    pictures.push_back({name, drawn(fmt::format("{}: grey before, coloured after a change", name), rungs)});
  return pictures;
}

}  // namespace harness::compare
