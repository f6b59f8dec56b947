#include "harness/results/row_json.hpp"

#include "harness/core/counts.hpp"
#include "harness/core/parse_number.hpp"

#include <fmt/format.h>

#include <limits>

namespace harness::results {
namespace {

constexpr auto not_finite = "not finite";
constexpr int most_pairs = 1000;
constexpr std::int64_t most_iterations = 1'000'000'000;
constexpr double most_log_ratio = 50;  // of two times of 30 years and of a nanosecond it is 41

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

Interval interval_from(const Field& json) {
  const auto [low, high] = json.rising_pair();
  return {low, high};
}

constexpr Way as_interval{[](const Interval& ends) { return Json{finite(ends.low), finite(ends.high)}; },
                          interval_from};
constexpr auto as_verdict =
    word_of(std::array{Verdict::helps, Verdict::no_effect, Verdict::hurts, Verdict::inconclusive,
                       Verdict::invalid, Verdict::failed, Verdict::skipped},
            "is not a verdict");
constexpr auto positive = checked_by([](const Field& field) { return field.positive(); });

constexpr auto carry_members = [](auto& each, auto& carry) {
  each("est", carry.estimate);
  each.since("ci", carry.interval, as_interval);
};

constexpr auto variance_members = [](auto& each, auto& variance) {
  each("within", variance.within);
  each("launch", variance.launch);
};

constexpr auto cpu_members = [](auto& each, auto& cpu) {
  each("ratio", cpu.ratio, positive);
  each.since("ratio_ci", cpu.ratio_interval, as_interval);
  each("verdict", cpu.verdict, as_verdict);
};

/// The flags, and one more where a number of the row is written as null.
Json flags_of(const Row& row) {
  Json json = row.judged.flags;
  if (!all_finite(row) && std::ranges::find(row.judged.flags, not_finite) == row.judged.flags.end())
    json.push_back(not_finite);
  return json;
}

std::string_view method_name(CiMethod method) {
  if (method == CiMethod::mann_whitney) return "mann-whitney";
  return method == CiMethod::widened_range ? "widened-range" : "median-binomial";
}

/// A name that is not known is taken for order statistics.
CiMethod method_from(const Field& field) {
  const auto text = field.text();
  for (const auto method : {CiMethod::widened_range, CiMethod::mann_whitney})
    if (text == method_name(method)) return method;
  return CiMethod::median_binomial;
}

constexpr auto result_members = [](auto& each, auto& row) {
  auto& judged = row.judged;
  const bool timed = !row.measured.log_ratios.empty();
  const auto if_timed = [timed](double value) { return timed ? finite(value) : Json(nullptr); };
  const Way number{if_timed, [](const Field& field) { return field.number(); }};
  const Way ratio{if_timed, positive.read};
  each("verdict", judged.verdict, as_verdict);
  each("flags", judged.flags,
       Way{[&](const auto&) { return flags_of(row); }, [](const Field& field) { return field.texts(); }});
  each("ratio", judged.ratio, ratio);
  each.since("ratio_ci", judged.ratio_interval, as_interval);
  each.since("ci_method", judged.method, Way{method_name, method_from});
  each("alpha_look", judged.alpha_look);
  each("alpha_actual", judged.alpha_actual);
  each("rounds", row.rounds, whole(0, most_rounds));
  each("rounds_discarded", row.measured.discarded, whole(0, most_rounds));
  each.since("confirmed", row.confirmed);
  each("sd_round", judged.sd, number);
  each("mde95", judged.smallest_effect, number);
  each("hodges_lehmann", judged.hodges_lehmann, ratio);
  each.since("carryover", judged.carry, by<CarryOver>(carry_members));
  each.if_any("variance", row.variance, by<VarianceSplit>(variance_members));
  each.if_any("cpu_time", row.cpu, by<CpuTime>(cpu_members));
  if (std::ranges::any_of(row.measured.figures, is_count))
    each.for_others("counted_work", to_string(counted_work(row.measured.figures)));
  each("naive_ns", row.naive_seconds, in_nanoseconds);
  each("optimized_ns", row.optimized_seconds, in_nanoseconds);
};

Timer timer_from(const Field& field) {
  const auto text = field.text();
  for (const auto timer : {Timer::wall, Timer::event})
    if (text == timer_name(timer)) return timer;
  field.reject("'" + text + "' is not a timer");
}

constexpr std::string_view tail_metric = "p99_over_median";
constexpr std::string_view figure_metric = "first_figure";
constexpr std::int64_t most_faults = std::int64_t{1} << 53;

/// A name that is not known is taken for a time.
Statistic statistic_from(const Field& field) {
  const auto metric = field.text();
  if (metric == tail_metric) return Statistic::tail;
  return metric == figure_metric ? Statistic::figure : Statistic::median;
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

constexpr auto as_outcome = word_of(
    std::array{Outcome::helps, Outcome::no_effect, Outcome::hurts, Outcome::depends}, "is not an outcome");

RowSides sides_from(const Field& json) {
  const auto names = json.texts();
  if (names.size() != 2) json.reject("expected the names of two sides");
  return {names[0], names[1]};
}

double delta_from(const Field& field) {
  const auto delta = field.number();
  constexpr double most_delta = 10;
  if (!(delta >= 0 && delta <= most_delta)) field.reject("expected a share between 0 and 10");
  return delta;
}

constexpr auto coordinate_members = [](auto& each, auto& coordinate) {
  each("axis", coordinate.axis);
  each("value", coordinate.value);
  each("text", coordinate.text);
};

/// Where a row stands: what a row and an error have in common.
constexpr auto place_members = [](auto& each, auto& row) {
  each("id", row.name, checked_by(row_name_from));
  each("step", row.step);
  each("at", row.at, list_of(by<Coordinate>(coordinate_members)));
  each("device", row.device, as_device);
  each.since("sides", row.sides,
             Way{[](const RowSides& sides) { return Json{sides.naive, sides.optimized}; }, sides_from});
  each("expected", row.expected, as_outcome);
  each("published", row.published);
  each("delta", row.delta, checked_by(delta_from));
};

constexpr auto error_members = [](auto& each, auto& row) {
  place_members(each, row);
  each("verdict", row.judged.verdict,
       word_of(std::array{Verdict::skipped, Verdict::failed}, "is neither skipped nor failed"));
  each("stage", row.stage);
  each("message", row.reason);
  each("row_seconds", row.row_seconds);
};

constexpr auto figure_members = [](auto& each, auto& figure) {
  each("name", figure.name);
  each("unit", figure.unit);
  each("naive", figure.naive);
  each("optimized", figure.optimized);
};

constexpr auto row_members = [](auto& each, auto& row) {
  auto& measured = row.measured;
  place_members(each, row);
  each.for_others("a", "variant:naive");
  each.for_others("b", "variant:optimized");
  each("metric", measured.statistic, Way{[&](Statistic) { return metric_of(measured); }, statistic_from});
  each("timer", measured.timer, Way{timer_name, timer_from});
  each.for_others("gated", false);
  each.within("result", [&](auto& inner) { result_members(inner, row); });
  each.if_any("reason", row.reason);
  each.if_any("stage", row.stage);
  each("iterations", measured.iterations, whole(0, most_iterations));
  each.if_any("optimized_iterations", measured.optimized_iterations, whole(0, most_iterations));
  each.if_any("calibrations", measured.calibrations, as_calibrations);
  each.since("k_pairs", measured.pairs, whole(1, most_pairs));
  each("bytes_moved", measured.bytes_moved);
  each("row_seconds", row.row_seconds);
  each("figures", measured.figures, list_of(by<Figure>(figure_members)));
  each("round_log_ratios", measured.log_ratios);
  each.since("round_setup_ns", measured.setup_seconds, list_of(in_nanoseconds));
  each.since("round_switches", measured.switches);
  each("samples", measured.samples,
       Way{[&](const auto&) { return samples_to_json(measured); }, samples_from_json});
  each.if_any("profile", row.profile, Way{profile_to_json, profile_from_json});
};

}  // namespace

Json row_to_json(const Row& row) { return json_by(row_members, row); }

std::map<std::string, int> calibrations_from_json(const Field& json) {
  std::map<std::string, int> calibrations;
  for (const auto& [key, number] : json.members())
    calibrations[key] = static_cast<int>(number.integer(1, std::numeric_limits<int>::max()));
  return calibrations;
}

Row row_from_json(const Field& json) {
  auto row = read_by<Row>(row_members, json);
  const auto& measured = row.measured;
  for (const auto ratio : measured.log_ratios)
    if (std::abs(ratio) > most_log_ratio)
      json["round_log_ratios"].reject(fmt::format("{} is not a log ratio", ratio));
  turn_old_row(row);
  if (!json.has("round_setup_ns")) return row;  // before 1.2
  if (measured.setup_seconds.size() != measured.log_ratios.size() ||
      json["round_switches"].entries().size() != measured.log_ratios.size())
    json["round_log_ratios"].reject("the columns of the rounds differ in length");
  return row;
}

Json error_to_json(const Row& row) { return json_by(error_members, row); }

Row error_from_json(const Field& json) {
  auto row = read_by<Row>(error_members, json);
  turn_old_row(row);
  return row;
}

std::string_view metric_of(const Measurement& measured) {
  if (measured.statistic == Statistic::tail) return tail_metric;
  if (measured.statistic == Statistic::figure) return figure_metric;
  return measured.timer == Timer::event ? "gpu_time" : "wall_time";
}

std::string_view timer_name(Timer timer) { return timer == Timer::event ? "cuda_event" : "steady_clock"; }

Json nanoseconds(double seconds) {
  if (!std::isfinite(seconds) || seconds <= 0) return nullptr;
  constexpr double small = 1e-6;  // a number that a command prints may be as small as it likes
  constexpr int digits = 12;
  if (seconds >= small) return std::round(seconds * 1e12) / 1e3;
  return parse_number<double>(fmt::format("{:.{}g}", seconds * 1e9, digits)).value_or(0);
}

double seconds_from(const Field& nanoseconds) {
  return nanoseconds.is_null() ? 0 : nanoseconds.positive() * 1e-9;
}

double alpha_from(const Field& field) {
  constexpr double least = 1e-9;
  const auto alpha = field.number();
  if (!(alpha >= least && alpha < 1)) field.reject("expected a share from 1e-09 to 1");
  return alpha;
}

std::string row_name_from(const Field& field) {
  constexpr std::size_t longest = 16384;
  auto name = field.text();
  if (name.empty() || name.size() > longest) field.reject("expected a name of 1 to 16384 bytes");
  if (std::ranges::any_of(name, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    field.reject("the name contains control characters");
  return name;
}

}  // namespace harness::results
