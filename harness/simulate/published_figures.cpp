#include "harness/simulate/published_figures.hpp"

#include "harness/core/median.hpp"
#include "harness/simulate/bounds.hpp"
#include "harness/simulate/cost.hpp"
#include "harness/simulate/gpu.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <iterator>
#include <random>

namespace harness::simulate {
namespace {

constexpr std::uint64_t seed = 25;  // of the split; docs/simulation.md names it
constexpr int rounds = 2;

Figure figure_from_json(const Field& json) {
  Figure figure{.id = json["id"].text(),
                .source = json.has("claim") ? '`' + json["claim"].text() + '`' : json["source"].text(),
                .kind = json["kind"].text(),
                .gpu = json["gpu"].text(),
                .says = json["says"].text(),
                .unit = json["unit"].text(),
                .of = json["of"].text(),
                .note = json.has("note") ? json["note"].text() : "",
                .round = json.has("round") ? static_cast<int>(json["round"].integer(1, rounds)) : 1,
                .published = json["published"].positive(),
                .amount = json.has("amount") ? json["amount"].positive() : 0,
                .per = json.has("per") ? json["per"].positive() : 1,
                .settings = json.has("set") ? json["set"].texts() : std::vector<std::string>{},
                .work = {}};
  figure.work.entries = entries_from_json(json["entries"]);
  return figure;
}

/// The half of a round's ids that a shuffle puts last judges. The shuffle is written out: the library's may
/// differ.
void split(std::vector<Figure>& figures) {
  std::ranges::sort(figures, {}, &Figure::id);
  std::vector<std::size_t> order(figures.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::mt19937_64 random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  for (std::size_t i = order.size() / 2; i < order.size(); ++i) figures[order[i]].judges = true;
}

double busy(const Timeline& line, const std::string& of) {
  Nanoseconds sum = 0;
  for (const auto& span : line.device)
    if (of == "device" || span.engine == Engine::to_device) sum += span.end - span.begin;
  return seconds(sum);
}

/// In the figure's unit.
double figure_of(const Figure& figure, double time) {
  if (figure.unit == "GB/s") return figure.amount / time / giga;
  if (figure.unit == "TFLOP/s") return figure.amount / time / tera;
  const auto scale = figure.unit == "s" ? 1 : figure.unit == "ms" ? 1e3 : 1e6;
  return time * scale / figure.per;
}

bool is_rate(const Figure& figure) { return figure.unit.ends_with("/s"); }

Gpu gpu_of(const Figure& figure) {
  auto gpu = find_gpu(figure.gpu);
  for (const auto& setting : figure.settings) set_value(gpu, setting);
  return gpu;
}

/// The share of factors between 1 / most and most.
double share_within(const std::vector<Judged>& judged, double most, bool judging) {
  double all = 0;
  double within = 0;
  for (const auto& one : judged) {
    if (one.figure.judges != judging) continue;
    ++all;
    if (one.factor <= most && one.factor >= 1 / most) ++within;
  }
  return all > 0 ? within / all : 0;
}

std::string half_text(const std::vector<Judged>& judged, bool judging) {
  std::string out = "| figure | GPU | published | simulated | factor |\n|---|---|---:|---:|---:|\n";
  for (const auto& [figure, simulated, factor, line] : judged)
    if (figure.judges == judging)
      out += fmt::format("| {} ({}) | {} | {} {} | {} {} | {:.2f} |\n", figure.says, figure.source,
                         find_gpu(figure.gpu).title, digits_text(figure.published), figure.unit,
                         digits_text(simulated), figure.unit, factor);
  constexpr double narrow = 1.3;
  constexpr double wide = 2;
  constexpr double percent = 100;
  out += fmt::format("\nWithin a factor of 2: {:.0f} %; within 1.3: {:.0f} %.\n",
                     percent * share_within(judged, wide, judging),
                     percent * share_within(judged, narrow, judging));
  return out;
}

std::vector<double> factors_of(const std::vector<Judged>& judged, const std::string& kind, bool judging) {
  std::vector<double> factors;
  for (const auto& one : judged)
    if (one.figure.kind == kind && one.figure.judges == judging) factors.push_back(one.factor);
  return factors;
}

/// True if the published time lies in the interval that a row with this work would get.
bool is_held(const Judged& one, const ModelErrors& errors) {
  const auto measure = [&](const Timeline& line) { return seconds_of(one.figure, line); };
  const auto interval = form_interval(one.figure.work, gpu_of(one.figure), errors, measure);
  const auto published = measure(one.line) / one.factor;
  return interval.low <= published && published <= interval.high;
}

/// How good the model is for each kind of work.
std::string kinds_text(const std::vector<Judged>& judged) {
  const auto errors = known_errors();
  std::set<std::string> all;
  for (const auto& one : judged) all.insert(one.figure.kind);
  std::string out =
      "| kind | may be looked at | their factors | judge | within 2 | median | held by their intervals |\n"
      "|---|---:|---|---:|---:|---:|---:|\n";
  for (const auto& kind : all) {
    const auto seen = factors_of(judged, kind, false);
    const auto factors = factors_of(judged, kind, true);
    const auto low = seen.empty() ? 0 : std::ranges::min(seen);
    const auto high = seen.empty() ? 0 : std::ranges::max(seen);
    const auto held = std::ranges::count_if(judged, [&](const Judged& one) {
      return one.figure.kind == kind && one.figure.judges && is_held(one, errors);
    });
    const auto count = [&](double from, double to) {
      return std::ranges::count_if(factors, [&](double one) { return one >= from && one <= to; });
    };
    constexpr double wide = 2;
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", kind, seen.size(),
                       seen.empty() ? "-" : fmt::format("{:.2f} to {:.2f}", low, high), factors.size(),
                       count(1 / wide, wide), factors.empty() ? "-" : fmt::format("{:.2f}", median(factors)),
                       seen.empty() ? "-" : fmt::to_string(held));
  }
  return out;
}

}  // namespace

double seconds_of(const Figure& figure, const Timeline& line) {
  if (figure.of == "device" || figure.of == "to_device") return busy(line, figure.of);
  if (figure.of == "span") return seconds(line.device.back().end - line.device.front().begin);
  if (figure.of == "first_call") return seconds(line.host.at(0).end);
  return seconds(line.end);
}

std::vector<Figure> published_figures() {
  const auto json = parse_json(published_figures_json(), "published_figures.json");
  std::vector<Figure> figures;
  for (int round = 1; round <= rounds; ++round) {
    std::vector<Figure> found;
    for (const auto& entry : Field(json, "published_figures.json")["figures"].entries())
      if (auto figure = figure_from_json(entry); figure.round == round) found.push_back(std::move(figure));
    split(found);
    std::ranges::move(found, std::back_inserter(figures));
  }
  return figures;
}

std::vector<Judged> judge_figures(const std::vector<Figure>& figures) {
  std::vector<Judged> judged;
  for (const auto& figure : figures) {
    const auto gpu = gpu_of(figure);
    auto line = play(schedule_of(figure.work, gpu), rules_of(gpu));
    const auto simulated = figure_of(figure, seconds_of(figure, line));
    const auto ratio = simulated / figure.published;
    judged.push_back({figure, simulated, is_rate(figure) ? 1 / ratio : ratio, std::move(line)});
  }
  return judged;
}

std::string published_table(const std::vector<Judged>& judged) {
  auto out = kinds_text(judged) + "\nThe half that judges:\n\n" + half_text(judged, true);
  out += "\nThe half that could be looked at:\n\n" + half_text(judged, false);
  out += "\nNot simulated:\n\n| published | why |\n|---|---|\n";
  const auto json = parse_json(published_figures_json(), "published_figures.json");
  for (const auto& one : Field(json, "published_figures.json")["cannot"].entries())
    out += fmt::format("| {} | {} |\n", one["claim"].text(), one["why"].text());
  return out;
}

}  // namespace harness::simulate
