#include "harness/core/counts.hpp"

#include <cmath>

namespace harness::inline core {
namespace {

/// Of a slot of that form; nothing where two slots differ or one was not watched.
std::optional<std::int64_t> faults_of_a_slot(const Measurement& measured, Form form) {
  std::optional<std::int64_t> all;
  for (const auto& sample : measured.samples) {
    // The first slot of a round meets the faults of the clock's own memory as well.
    if (sample.form != form || (sample.pair == 0 && sample.quad == 0 && sample.slot == 0)) continue;
    if (sample.faults < 0 || (all && *all != sample.faults)) return std::nullopt;
    all = sample.faults;
  }
  return all;
}

bool more(const Figure& figure) { return counts_more(figure.unit, figure.naive, figure.optimized); }
bool less(const Figure& figure) { return counts_more(figure.unit, figure.optimized, figure.naive); }

constexpr double takes_agree = 0.001;  // of the count
constexpr double takes_beside = 0.05;  // of what lies between the forms

double least(const TwoTakes& takes) { return std::min(takes.one, takes.other); }
double most(const TwoTakes& takes) { return std::max(takes.one, takes.other); }

bool agrees(const TwoTakes& takes, double between) {
  return most(takes) - least(takes) <= std::max(takes_agree * least(takes), takes_beside * between);
}

}  // namespace

std::optional<Figure> instructions_of(const TwoTakes& naive, const TwoTakes& optimized) {
  const auto between = std::max({0.0, least(naive) - most(optimized), least(optimized) - most(naive)});
  if (!agrees(naive, between) || !agrees(optimized, between)) return std::nullopt;
  return Figure{"instructions", std::string(instructions_unit), least(naive), least(optimized)};
}

bool is_count(const Figure& figure) {
  constexpr std::array<std::string_view, 4> units{"calls", "B", faults_unit, instructions_unit};
  const auto whole = [](double value) { return value >= 0 && std::floor(value) == value; };
  return std::ranges::find(units, figure.unit) != units.end() && whole(figure.naive) &&
         whole(figure.optimized);
}

bool counts_more(std::string_view unit, double before, double after) {
  return unit == instructions_unit ? after > before * (1 + instructions_apart) : after > before;
}

std::vector<Figure> differing_counts(std::span<const Figure> figures) {
  std::vector<Figure> differing;
  for (const auto& figure : figures)
    if (is_count(figure) && (more(figure) || less(figure))) differing.push_back(figure);
  return differing;
}

CountedWork counted_work(std::span<const Figure> figures) {
  const auto differing = differing_counts(figures);
  if (differing.empty()) return CountedWork::same;
  if (std::ranges::all_of(differing, less)) return CountedWork::less;
  return std::ranges::all_of(differing, more) ? CountedWork::more : CountedWork::mixed;
}

std::string_view to_string(CountedWork work) {
  constexpr std::array<std::string_view, 4> names{"same", "less", "more", "mixed"};
  return names.at(static_cast<std::size_t>(work));
}

std::optional<double> counted_share(std::span<const Figure> figures) {
  double calls = 0, most_calls = 0, bytes = 0;
  for (const auto& figure : figures) {
    if (!is_count(figure)) continue;
    const auto apart = std::abs(figure.optimized - figure.naive);
    if (figure.unit == "calls") {
      calls += apart;
      most_calls = std::max(most_calls, figure.naive);
    } else if (figure.unit == "B" && apart > 0) {
      if (figure.naive == 0) return std::nullopt;
      bytes = std::max(bytes, apart / figure.naive);
    }
  }
  if (most_calls == 0) return std::nullopt;
  return std::max(calls / most_calls, bytes);
}

std::optional<Figure> page_faults(const Measurement& measured) {
  const auto naive = faults_of_a_slot(measured, Form::naive);
  const auto optimized = faults_of_a_slot(measured, Form::optimized);
  const auto runs = measured.runs_of(Form::naive), others = measured.runs_of(Form::optimized);
  if (!naive || !optimized || runs < 1 || *naive % runs != 0 || *optimized % others != 0) return std::nullopt;
  return Figure{"page faults", std::string(faults_unit), static_cast<double>(*naive / runs),
                static_cast<double>(*optimized / others)};
}

}  // namespace harness::inline core
