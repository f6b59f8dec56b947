#include "harness/results/samples_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace harness::results {
namespace {

constexpr std::string_view tail_metric = "p99_over_median";
constexpr std::string_view figure_metric = "first_figure";
constexpr std::int64_t most_faults = std::int64_t{1} << 53;

}  // namespace

std::string_view metric_of(const Measurement& measured) {
  if (measured.statistic == Statistic::tail) return tail_metric;
  if (measured.statistic == Statistic::figure) return figure_metric;
  return measured.timer == Timer::event ? "gpu_time" : "wall_time";
}

Statistic statistic_from(std::string_view metric) {
  if (metric == tail_metric) return Statistic::tail;
  return metric == figure_metric ? Statistic::figure : Statistic::median;
}

std::string_view timer_name(Timer timer) { return timer == Timer::event ? "cuda_event" : "steady_clock"; }

Json nanoseconds(double seconds) {
  if (!std::isfinite(seconds) || seconds <= 0) return nullptr;
  return std::round(seconds * 1e12) / 1e3;
}

double seconds_from(const Field& nanoseconds) {
  return nanoseconds.is_null() ? 0 : nanoseconds.positive() * 1e-9;
}

/// Columns, so that a reader loads each as one array. `round` is the unit of replication.
Json samples_to_json(const Measurement& measured) {
  Json json;
  for (const auto* name :
       {"round", "pair", "quad", "slot", "variant", "bufset", "t_ns", "cpu_ns", "iters", "start_ns"})
    json[name] = Json::array();
  for (const auto& sample : measured.samples) {
    json["round"].push_back(sample.round);
    json["pair"].push_back(sample.pair);
    json["quad"].push_back(sample.quad);
    json["slot"].push_back(sample.slot);
    json["variant"].push_back(sample.form == Form::naive ? 0 : 1);
    json["bufset"].push_back(sample.set);
    json["t_ns"].push_back(nanoseconds(sample.seconds));
    json["cpu_ns"].push_back(nanoseconds(sample.cpu_seconds));
    json["iters"].push_back(measured.runs_of(sample.form));
    json["start_ns"].push_back(std::llround(sample.start * 1e9));
  }
  const auto watched = [](const Sample& sample) { return sample.clock_events != 0; };
  if (std::ranges::any_of(measured.samples, watched))
    for (const auto& sample : measured.samples) json["clock_events"].push_back(sample.clock_events);
  const auto counted = [](const Sample& sample) { return sample.faults >= 0; };
  if (!measured.samples.empty() && std::ranges::all_of(measured.samples, counted))
    for (const auto& sample : measured.samples) json["faults"].push_back(sample.faults);
  return json;
}

namespace {

/// A column that not every file has: empty then, else as long as the others.
std::vector<Field> optional_column(const Field& json, std::string_view name, std::size_t length) {
  if (!json.has(name)) return {};
  auto column = json[name].entries();
  if (column.size() != length) json.reject("the columns differ in length");
  return column;
}

/// Null where a slot has no time.
double slot_seconds(const Field& nanoseconds) {
  constexpr double most_nanoseconds = 1e18;  // 30 years
  const auto value = nanoseconds.number();
  if (value <= 0 || value > most_nanoseconds) nanoseconds.reject(fmt::format("{} is not a time", value));
  return std::isfinite(value) ? value * 1e-9 : 0;
}

}  // namespace

std::vector<Sample> samples_from_json(const Field& json) {
  const auto column = [&](std::string_view name) { return json[name].entries(); };
  const auto rounds = column("round"), pairs = column("pair");
  const auto quads = column("quad"), slots = column("slot");
  const auto variants = column("variant"), sets = column("bufset");
  const auto times = column("t_ns"), cpu = column("cpu_ns"), starts = column("start_ns");
  const auto events = optional_column(json, "clock_events", rounds.size());
  const auto faults = optional_column(json, "faults", rounds.size());
  for (const auto* other : {&pairs, &quads, &slots, &variants, &sets, &times, &cpu, &starts})
    if (other->size() != rounds.size()) json.reject("the columns differ in length");
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < rounds.size(); ++i)
    samples.push_back({.round = static_cast<int>(rounds[i].integer(0, most_rounds)),
                       .pair = static_cast<int>(pairs[i].integer(0, most_rounds)),
                       .quad = static_cast<int>(quads[i].integer(0, 1)),
                       .slot = static_cast<int>(slots[i].integer(0, 3)),
                       .form = variants[i].integer(0, 1) == 0 ? Form::naive : Form::optimized,
                       .set = static_cast<int>(sets[i].integer(0, 1)),
                       .seconds = slot_seconds(times[i]),
                       .cpu_seconds = seconds_from(cpu[i]),
                       .start = static_cast<double>(starts[i].integer()) * 1e-9,
                       .faults = faults.empty() ? -1 : faults[i].integer(0, most_faults),
                       .clock_events = events.empty() ? 0 : events[i].unsigned_integer()});
  return samples;
}

Json figures_to_json(const std::vector<Figure>& figures) {
  Json json = Json::array();
  for (const auto& figure : figures)
    json.push_back({{"name", figure.name},
                    {"unit", figure.unit},
                    {"naive", finite(figure.naive)},
                    {"optimized", finite(figure.optimized)}});
  return json;
}

std::vector<Figure> figures_from_json(const Field& json) {
  std::vector<Figure> figures;
  for (const auto& entry : json.entries())
    figures.push_back(
        {entry["name"].text(), entry["unit"].text(), entry["naive"].number(), entry["optimized"].number()});
  return figures;
}

}  // namespace harness::results
