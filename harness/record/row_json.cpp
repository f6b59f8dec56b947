#include "harness/record/row_json.hpp"

#include <cmath>
#include <limits>

namespace harness {
namespace {

constexpr int most_slots = 1'000'000;
constexpr auto not_finite = "not finite";

Outcome outcome_from(const Field& field) {
  const auto text = field.text();
  for (const auto outcome : {Outcome::helps, Outcome::no_effect, Outcome::hurts, Outcome::depends})
    if (to_string(outcome) == text) return outcome;
  field.reject("'" + text + "' is no outcome");
}

Verdict verdict_of(const Field& field) {
  try {
    return verdict_from(field.text());
  } catch (const BadInput& error) {
    field.reject(error.what());
  }
}

double seconds(const Field& nanoseconds) {
  if (nanoseconds.is_null()) return 0;
  return nanoseconds.number() * 1e-9;
}

/// False where a number of the row is written as null.
bool all_finite(const Row& row) {
  const auto& judged = row.judged;
  bool finite = std::isfinite(judged.ratio) && std::isfinite(judged.sd) &&
                std::isfinite(judged.smallest_effect) && std::isfinite(judged.hodges_lehmann);
  for (const auto d : row.measured.log_ratios) finite = finite && std::isfinite(d);
  for (const auto& sample : row.measured.samples)
    finite = finite && std::isfinite(sample.seconds) && std::isfinite(sample.cpu_seconds);
  return finite;
}

Json result_to_json(const Row& row) {
  const auto& judged = row.judged;
  Json json;
  json["verdict"] = to_string(judged.verdict);
  json["flags"] = judged.flags;
  if (!all_finite(row)) json["flags"].push_back(not_finite);
  json["ratio"] = finite(judged.ratio);
  json["ratio_ci"] = nullptr;
  if (judged.ratio_interval)
    json["ratio_ci"] = {finite(judged.ratio_interval->low), finite(judged.ratio_interval->high)};
  json["ci_method"] = "median-binomial";
  json["alpha_look"] = finite(judged.alpha_look);
  json["alpha_actual"] = finite(judged.alpha_actual);
  json["rounds"] = row.measured.log_ratios.size();
  json["rounds_discarded"] = 0;
  json["sd_round"] = finite(judged.sd);
  json["mde95"] = finite(judged.smallest_effect);
  json["hodges_lehmann"] = finite(judged.hodges_lehmann);
  json["naive_ns"] = nanoseconds(row.naive_seconds);
  json["optimized_ns"] = nanoseconds(row.optimized_seconds);
  return json;
}

void result_from_json(const Field& json, Row& row) {
  auto& judged = row.judged;
  judged.verdict = verdict_of(json["verdict"]);
  judged.flags = json["flags"].texts();
  std::erase(judged.flags, not_finite);  // said anew when the row is written
  judged.ratio = json["ratio"].number();
  if (json.has("ratio_ci")) {
    const auto ends = json["ratio_ci"].numbers();
    if (ends.size() != 2 || !(ends[0] <= ends[1])) json["ratio_ci"].reject("two rising numbers are expected");
    judged.ratio_interval = Interval{ends[0], ends[1]};
  }
  judged.alpha_look = json["alpha_look"].number();
  judged.alpha_actual = json["alpha_actual"].number();
  judged.sd = json["sd_round"].number();
  judged.smallest_effect = json["mde95"].number();
  judged.hodges_lehmann = json["hodges_lehmann"].number();
  row.naive_seconds = seconds(json["naive_ns"]);
  row.optimized_seconds = seconds(json["optimized_ns"]);
}

/// Columns, so that a reader loads each as one array. `round` is the unit of replication; in one process
/// that is the crossed pair of quads itself, hence `pair` is 0.
Json samples_to_json(const Measurement& measured) {
  Json json;
  for (const auto* name :
       {"round", "pair", "quad", "slot", "variant", "bufset", "t_ns", "cpu_ns", "iters", "start_ns"})
    json[name] = Json::array();
  for (const auto& sample : measured.samples) {
    json["round"].push_back(sample.unit);
    json["pair"].push_back(0);
    json["quad"].push_back(sample.quad);
    json["slot"].push_back(sample.slot);
    json["variant"].push_back(sample.form == Form::naive ? 0 : 1);
    json["bufset"].push_back(sample.set);
    json["t_ns"].push_back(nanoseconds(sample.seconds));
    json["cpu_ns"].push_back(nanoseconds(sample.cpu_seconds));
    json["iters"].push_back(measured.iterations);
    json["start_ns"].push_back(std::llround(sample.start * 1e9));
  }
  return json;
}

std::vector<Sample> samples_from_json(const Field& json) {
  const auto column = [&](std::string_view name) { return json[name].entries(); };
  const auto rounds = column("round"), quads = column("quad"), slots = column("slot");
  const auto variants = column("variant"), sets = column("bufset");
  const auto times = column("t_ns"), cpu = column("cpu_ns"), starts = column("start_ns");
  for (const auto* other : {&quads, &slots, &variants, &sets, &times, &cpu, &starts})
    if (other->size() != rounds.size()) json.reject("the columns differ in length");
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < rounds.size(); ++i)
    samples.push_back({.unit = static_cast<int>(rounds[i].integer(0, most_slots)),
                       .quad = static_cast<int>(quads[i].integer(0, 1)),
                       .slot = static_cast<int>(slots[i].integer(0, 3)),
                       .form = variants[i].integer(0, 1) == 0 ? Form::naive : Form::optimized,
                       .set = static_cast<int>(sets[i].integer(0, 1)),
                       .seconds = seconds(times[i]),
                       .cpu_seconds = seconds(cpu[i]),
                       .start = static_cast<double>(starts[i].integer()) * 1e-9});
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

Timer timer_from(const Field& field) {
  const auto text = field.text();
  if (text == "cuda_event") return Timer::event;
  if (text != "steady_clock") field.reject("'" + text + "' is no timer");
  return Timer::wall;
}

}  // namespace

Json nanoseconds(double seconds) {
  if (!std::isfinite(seconds) || seconds <= 0) return nullptr;
  return std::round(seconds * 1e12) / 1e3;
}

Json place_to_json(const Row& row) {
  Json json;
  json["id"] = row.name;
  json["step"] = row.step;
  json["at"] = Json::array();
  for (const auto& c : row.at) json["at"].push_back({{"axis", c.axis}, {"value", c.value}, {"text", c.text}});
  json["device"] = to_string(row.device);
  json["expected"] = to_string(row.expected);
  json["published"] = row.published;
  json["delta"] = finite(row.delta);
  return json;
}

Row place_from_json(const Field& json) {
  Row row;
  row.name = json["id"].text();
  row.step = json["step"].text();
  for (const auto& c : json["at"].entries())
    row.at.push_back({c["axis"].text(), c["value"].integer(), c["text"].text()});
  try {
    row.device = parse_device(json["device"].text());
  } catch (const std::invalid_argument& error) {
    json["device"].reject(error.what());
  }
  row.expected = outcome_from(json["expected"]);
  row.published = json["published"].text();
  row.delta = json["delta"].number();
  return row;
}

Json row_to_json(const Row& row) {
  const auto& measured = row.measured;
  const bool event = measured.timer == Timer::event;
  auto json = place_to_json(row);
  json["a"] = "variant:naive";
  json["b"] = "variant:optimized";
  json["metric"] = event ? "gpu_time" : "wall_time";
  json["timer"] = event ? "cuda_event" : "steady_clock";
  json["gated"] = false;
  json["result"] = result_to_json(row);
  if (!row.reason.empty()) json["reason"] = row.reason;
  if (!row.stage.empty()) json["stage"] = row.stage;
  json["iterations"] = measured.iterations;
  json["bytes_moved"] = measured.bytes_moved;
  json["row_seconds"] = finite(row.row_seconds);
  json["figures"] = figures_to_json(measured.figures);
  json["round_log_ratios"] = Json::array();
  for (const auto d : measured.log_ratios) json["round_log_ratios"].push_back(finite(d));
  json["samples"] = samples_to_json(measured);
  return json;
}

Row row_from_json(const Field& json) {
  auto row = place_from_json(json);
  result_from_json(json["result"], row);
  if (json.has("reason")) row.reason = json["reason"].text();
  if (json.has("stage")) row.stage = json["stage"].text();
  row.row_seconds = json["row_seconds"].number();
  auto& measured = row.measured;
  measured.timer = timer_from(json["timer"]);
  measured.iterations = json["iterations"].integer(0, std::numeric_limits<std::int64_t>::max());
  measured.bytes_moved = json["bytes_moved"].unsigned_integer();
  measured.figures = figures_from_json(json["figures"]);
  measured.log_ratios = json["round_log_ratios"].numbers();
  measured.samples = samples_from_json(json["samples"]);
  return row;
}

}  // namespace harness
