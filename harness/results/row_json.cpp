#include "harness/results/row_json.hpp"

#include "harness/core/counts.hpp"
#include "harness/results/turned_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace harness::results {
namespace {

constexpr auto not_finite = "not finite";
constexpr int most_pairs = 1000;
constexpr std::int64_t most_iterations = 1'000'000'000;
constexpr double most_log_ratio = 50;  // of two times of 30 years and of a nanosecond it is 41

Verdict verdict_of(const Field& field) {
  try {
    return verdict_from(field.text());
  } catch (const BadInput& error) {
    field.reject(error.what());
  }
}

/// False where a number of the row is written as null.
bool all_finite(const Row& row) {
  const auto& judged = row.judged;
  if (row.measured.log_ratios.empty()) return true;  // nothing was measured yet, and null says so
  bool finite = std::isfinite(judged.ratio) && std::isfinite(judged.sd) &&
                std::isfinite(judged.smallest_effect) && std::isfinite(judged.hodges_lehmann);
  for (const auto d : row.measured.log_ratios) finite = finite && std::isfinite(d);
  for (const auto& sample : row.measured.samples)
    finite = finite && std::isfinite(sample.seconds) && std::isfinite(sample.cpu_seconds);
  return finite;
}

Json carry_to_json(const CarryOver& carry) {
  const auto& ends = carry.interval;
  return {{"est", finite(carry.estimate)},
          {"ci", ends ? Json{finite(ends->low), finite(ends->high)} : Json(nullptr)}};
}

Interval interval_from(const Field& json) {
  const auto [low, high] = json.rising_pair();
  return {low, high};
}

Json cpu_to_json(const CpuTime& cpu) {
  const auto& ends = cpu.ratio_interval;
  return {{"ratio", finite(cpu.ratio)},
          {"ratio_ci", ends ? Json{finite(ends->low), finite(ends->high)} : Json(nullptr)},
          {"verdict", to_string(cpu.verdict)}};
}

CpuTime cpu_from_json(const Field& json) {
  CpuTime cpu{
      .ratio = json["ratio"].positive(), .ratio_interval = {}, .verdict = verdict_of(json["verdict"])};
  if (json.has("ratio_ci")) cpu.ratio_interval = interval_from(json["ratio_ci"]);
  return cpu;
}

Json result_to_json(const Row& row) {
  const auto& judged = row.judged;
  Json json;
  json["verdict"] = to_string(judged.verdict);
  json["flags"] = judged.flags;
  if (!all_finite(row) && std::ranges::find(judged.flags, not_finite) == judged.flags.end())
    json["flags"].push_back(not_finite);
  const bool timed = !row.measured.log_ratios.empty();
  const auto number = [timed](double value) { return timed ? finite(value) : Json(nullptr); };
  json["ratio"] = number(judged.ratio);
  json["ratio_ci"] = nullptr;
  if (judged.ratio_interval)
    json["ratio_ci"] = {finite(judged.ratio_interval->low), finite(judged.ratio_interval->high)};
  json["ci_method"] = judged.early ? "widened-range" : "median-binomial";
  json["alpha_look"] = finite(judged.alpha_look);
  json["alpha_actual"] = finite(judged.alpha_actual);
  json["rounds"] = row.rounds;
  json["rounds_discarded"] = row.measured.discarded;
  json["confirmed"] = row.confirmed;
  json["sd_round"] = number(judged.sd);
  json["mde95"] = number(judged.smallest_effect);
  json["hodges_lehmann"] = number(judged.hodges_lehmann);
  json["carryover"] = carry_to_json(judged.carry);
  if (row.variance)
    json["variance"] = {{"within", finite(row.variance->within)}, {"launch", finite(row.variance->launch)}};
  if (row.cpu) json["cpu_time"] = cpu_to_json(*row.cpu);
  if (std::ranges::any_of(row.measured.figures, is_count))
    json["counted_work"] = to_string(counted_work(row.measured.figures));
  json["naive_ns"] = nanoseconds(row.naive_seconds);
  json["optimized_ns"] = nanoseconds(row.optimized_seconds);
  return json;
}

void result_from_json(const Field& json, Row& row) {
  auto& judged = row.judged;
  judged.verdict = verdict_of(json["verdict"]);
  judged.flags = json["flags"].texts();
  judged.early = json.has("ci_method") && json["ci_method"].text() == "widened-range";
  judged.ratio = json["ratio"].positive();
  if (json.has("ratio_ci")) judged.ratio_interval = interval_from(json["ratio_ci"]);
  if (json.has("carryover")) {
    judged.carry.estimate = json["carryover"]["est"].number();
    if (json["carryover"].has("ci")) judged.carry.interval = interval_from(json["carryover"]["ci"]);
  }
  if (json.has("variance"))
    row.variance = {json["variance"]["within"].number(), json["variance"]["launch"].number()};
  if (json.has("cpu_time")) row.cpu = cpu_from_json(json["cpu_time"]);
  row.measured.discarded = static_cast<int>(json["rounds_discarded"].integer(0, most_rounds));
  row.confirmed = json.has("confirmed") && json["confirmed"].boolean();
  row.rounds = static_cast<int>(json["rounds"].integer(0, most_rounds));
  judged.alpha_look = json["alpha_look"].number();
  judged.alpha_actual = json["alpha_actual"].number();
  judged.sd = json["sd_round"].number();
  judged.smallest_effect = json["mde95"].number();
  judged.hodges_lehmann = json["hodges_lehmann"].positive();
  row.naive_seconds = seconds_from(json["naive_ns"]);
  row.optimized_seconds = seconds_from(json["optimized_ns"]);
}

Timer timer_from(const Field& field) {
  const auto text = field.text();
  for (const auto timer : {Timer::wall, Timer::event})
    if (text == timer_name(timer)) return timer;
  field.reject("'" + text + "' is not a timer");
}

constexpr std::string_view tail_metric = "p99_over_median";
constexpr std::string_view figure_metric = "first_figure";
constexpr std::int64_t most_faults = std::int64_t{1} << 53;

// Where a row stands: what results, errors and a worker's answer have in common.

Outcome outcome_from(const Field& field) {
  const auto text = field.text();
  for (const auto outcome : {Outcome::helps, Outcome::no_effect, Outcome::hurts, Outcome::depends})
    if (to_string(outcome) == text) return outcome;
  field.reject("'" + text + "' is not an outcome");
}

RowSides sides_from(const Field& json) {
  const auto names = json.texts();
  if (names.size() != 2) json.reject("expected the names of two sides");
  return {names[0], names[1]};
}

}  // namespace

Json row_to_json(const Row& row) {
  const auto& measured = row.measured;
  auto json = place_to_json(row);
  json.update({{"a", "variant:naive"}, {"b", "variant:optimized"}});
  json["metric"] = metric_of(measured);
  json["timer"] = timer_name(measured.timer);
  json["gated"] = false;
  json["result"] = result_to_json(row);
  if (!row.reason.empty()) json["reason"] = row.reason;
  if (!row.stage.empty()) json["stage"] = row.stage;
  json["iterations"] = measured.iterations;
  if (measured.optimized_iterations > 0) json["optimized_iterations"] = measured.optimized_iterations;
  if (!measured.calibrations.empty()) json["calibrations"] = measured.calibrations;
  json["k_pairs"] = measured.pairs;
  json["bytes_moved"] = measured.bytes_moved;
  json["row_seconds"] = finite(row.row_seconds);
  json["figures"] = figures_to_json(measured.figures);
  json["round_log_ratios"] = Json::array();
  for (const auto d : measured.log_ratios) json["round_log_ratios"].push_back(finite(d));
  json["round_setup_ns"] = Json::array();
  for (const auto s : measured.setup_seconds) json["round_setup_ns"].push_back(nanoseconds(s));
  json["round_switches"] = measured.switches;
  json["samples"] = samples_to_json(measured);
  if (row.profile) json["profile"] = profile_to_json(*row.profile);
  return json;
}

std::map<std::string, int> calibrations_from_json(const Field& json) {
  std::map<std::string, int> calibrations;
  for (const auto& [key, number] : json.members())
    calibrations[key] = static_cast<int>(number.integer(1, std::numeric_limits<int>::max()));
  return calibrations;
}

Row row_from_json(const Field& json) {
  auto row = place_from_json(json);
  result_from_json(json["result"], row);
  if (json.has("reason")) row.reason = json["reason"].text();
  if (json.has("stage")) row.stage = json["stage"].text();
  row.row_seconds = json["row_seconds"].number();
  auto& measured = row.measured;
  measured.timer = timer_from(json["timer"]);
  measured.statistic = statistic_from(json["metric"].text());
  measured.iterations = json["iterations"].integer(0, most_iterations);
  if (json.has("optimized_iterations"))
    measured.optimized_iterations = json["optimized_iterations"].integer(0, most_iterations);
  if (json.has("calibrations")) measured.calibrations = calibrations_from_json(json["calibrations"]);
  if (json.has("k_pairs")) measured.pairs = static_cast<int>(json["k_pairs"].integer(1, most_pairs));
  measured.bytes_moved = json["bytes_moved"].unsigned_integer();
  measured.figures = figures_from_json(json["figures"]);
  measured.log_ratios = json["round_log_ratios"].numbers();
  for (const auto ratio : measured.log_ratios)
    if (std::abs(ratio) > most_log_ratio)
      json["round_log_ratios"].reject(fmt::format("{} is not a log ratio", ratio));
  measured.samples = samples_from_json(json["samples"]);
  if (json.has("profile")) row.profile = profile_from_json(json["profile"]);
  if (!json.has("sides")) turn_old_row(row);
  if (!json.has("round_setup_ns")) return row;  // before 1.2
  for (const auto& s : json["round_setup_ns"].entries()) measured.setup_seconds.push_back(seconds_from(s));
  measured.switches = json["round_switches"].integers();
  if (measured.setup_seconds.size() != measured.log_ratios.size() ||
      measured.switches.size() != measured.log_ratios.size())
    json["round_log_ratios"].reject("the columns of the rounds differ in length");
  return row;
}

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

std::string row_name_from(const Field& field) {
  constexpr std::size_t longest = 16384;
  auto name = field.text();
  if (name.empty() || name.size() > longest) field.reject("expected a name of 1 to 16384 bytes");
  if (std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    field.reject("the name contains control characters");
  return name;
}

Json place_to_json(const Row& row) {
  Json json;
  json["id"] = row.name;
  json["step"] = row.step;
  json["at"] = Json::array();
  for (const auto& c : row.at) json["at"].push_back({{"axis", c.axis}, {"value", c.value}, {"text", c.text}});
  json["device"] = to_string(row.device);
  json["sides"] = {row.sides.naive, row.sides.optimized};
  json["expected"] = to_string(row.expected);
  json["published"] = row.published;
  json["delta"] = finite(row.delta);
  return json;
}

Row place_from_json(const Field& json) {
  Row row;
  row.name = row_name_from(json["id"]);
  row.step = json["step"].text();
  for (const auto& c : json["at"].entries())
    row.at.push_back({c["axis"].text(), c["value"].integer(), c["text"].text()});
  try {
    row.device = parse_device(json["device"].text());
  } catch (const std::invalid_argument& error) {
    json["device"].reject(error.what());
  }
  if (json.has("sides")) row.sides = sides_from(json["sides"]);
  row.expected = outcome_from(json["expected"]);
  row.published = json["published"].text();
  row.delta = json["delta"].number();
  if (!(row.delta >= 0 && row.delta < 1)) json["delta"].reject("expected a share between 0 and 1");
  return row;
}

}  // namespace harness::results
