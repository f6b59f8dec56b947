#include "harness/results/row.hpp"

#include "harness/core/canary.hpp"
#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"
#include "harness/results/row_json.hpp"
#include "harness/support/json_members.hpp"

#include <fmt/format.h>

#include <limits>
#include <set>

namespace harness::results {
namespace {

constexpr auto disturbance_members = [](auto& each, auto& disturbance) {
  constexpr auto times = list_of(in_nanoseconds);
  each("involuntary_switches", disturbance.involuntary_switches,
       whole(0, std::numeric_limits<std::int64_t>::max()));
  each("canary_ns", disturbance.canary_seconds, times);
  each("gpu_canary_ns", disturbance.gpu_canary_seconds, times);
  each("copy_canary_ns", disturbance.copy_canary_seconds, times);
  each.since("slowdowns", disturbance.slowdowns);
};

constexpr auto round_members = [](auto& each, auto& round) {
  each("round", round.round, whole(0, most_rounds));
  each("start_seconds", round.start);
  each("seconds", round.seconds);
  each("workers", round.workers, whole(0, most_rounds));
  each("steal_seconds", round.steal_seconds);
  each.if_any("other_cpu_share", round.other_cpu);
  disturbance_members(each, round.disturbance);
};

}  // namespace

void add(Disturbance& all, const Disturbance& more) {
  const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  all.involuntary_switches += more.involuntary_switches;
  append(all.canary_seconds, more.canary_seconds);
  append(all.gpu_canary_seconds, more.gpu_canary_seconds);
  append(all.copy_canary_seconds, more.copy_canary_seconds);
  if (more.slowdowns) all.slowdowns = all.slowdowns.value_or(0) | *more.slowdowns;
}

void add_canaries(const std::vector<Round>& rounds, std::size_t first, bool device, Disturbances& seen) {
  std::vector<bool> marked(std::min(first, rounds.size()));
  const auto add = [&](const auto canary) {
    std::vector<std::vector<double>> seconds;
    for (std::size_t i = 0; i < marked.size(); ++i) seconds.push_back(rounds[i].disturbance.*canary);
    const auto report = canary_report(seconds);
    for (std::size_t i = 0; i < marked.size(); ++i) marked[i] = marked[i] || report.marked[i];
    seen.off = std::max(seen.off, report.largest);
  };
  if (device) {
    add(&Disturbance::gpu_canary_seconds);
    add(&Disturbance::copy_canary_seconds);
  } else {
    add(&Disturbance::canary_seconds);
  }
  const auto some = static_cast<double>(std::ranges::count(marked, true));
  seen.marked = marked.empty() ? 0 : some / static_cast<double>(marked.size());
}

Json disturbance_to_json(const Disturbance& disturbance) { return json_by(disturbance_members, disturbance); }

Disturbance disturbance_from_json(const Field& json) {
  return read_by<Disturbance>(disturbance_members, json);
}

Json round_to_json(const Round& round) { return json_by(round_members, round); }

Round round_from_json(const Field& json) { return read_by<Round>(round_members, json); }

namespace {

constexpr int most_repeats = 100'000;

struct Part {
  std::string_view name;
  int Schedule::* value;
  int least;
};
constexpr std::array<Part, 4> parts{{{"wait", &Schedule::wait, 0},
                                     {"warmup", &Schedule::warmup, 0},
                                     {"active", &Schedule::active, 1},
                                     {"repeat", &Schedule::repeat, 1}}};

[[noreturn]] void refuse(const std::string& text, const std::string& flag, std::string_view why) {
  throw BadInput(fmt::format("{} {}: {}, as in wait=10,warmup=10,active=20,repeat=1", flag, text, why));
}

/// True if `word` is "name=number" with a number that the part may have.
bool take(std::string_view word, const Part& part, Schedule& schedule) {
  if (!word.starts_with(part.name) || word.substr(part.name.size(), 1) != "=") return false;
  const auto number = parse_number<int>(word.substr(part.name.size() + 1));
  if (!number) return false;
  schedule.*part.value = *number;
  return *number >= part.least && *number <= most_repeats;
}

constexpr int most_runs = 1'000'000'000;

Json form_to_json(const FormProfile& form) {
  return {{"form", as_form.write(form.form)},
          {"runs", form.runs},
          {"profiler_on_ns", nanoseconds(form.seconds_on)},
          {"profiler_off_ns", {nanoseconds(form.seconds_before), nanoseconds(form.seconds_after)}},
          {"traces", form.traces}};
}

FormProfile form_profile_from(const Field& json) {
  const auto off = json["profiler_off_ns"].entries();
  if (off.size() != 2) json["profiler_off_ns"].reject("expected two times");
  return {.form = as_form.read(json["form"]),
          .runs = static_cast<int>(json["runs"].integer(0, most_runs)),
          .seconds_on = seconds_from(json["profiler_on_ns"]),
          .seconds_before = seconds_from(off[0]),
          .seconds_after = seconds_from(off[1]),
          .traces = json["traces"].texts()};
}

constexpr auto published_members = [](auto& each, auto& published) {
  each("before", published.before,
       Way{[](double before) { return before > 0 ? Json(before) : Json(nullptr); },
           [](const Field& field) { return field.is_null() ? 0 : field.number(); }});
  each("after", published.after);
  each("where", published.where);
};

constexpr auto profile_figure_members = [](auto& each, auto& figure) {
  each("name", figure.name);
  each("unit", figure.unit);
  each("naive", figure.naive);
  each("optimized", figure.optimized);
  each.if_any("published", figure.published, by<PublishedChange>(published_members));
};

constexpr auto profile_members = [](auto& each, auto& profile) {
  each("schedule", profile.schedule, as_schedule);
  each.if_any("reason", profile.reason);
  each("forms", profile.forms, list_of(Way{form_to_json, form_profile_from}));
  each("per_run", profile.figures, list_of(by<ProfileFigure>(profile_figure_members)));
};

}  // namespace

std::string to_string(const Schedule& schedule) {
  return fmt::format("wait={},warmup={},active={},repeat={}", schedule.wait, schedule.warmup, schedule.active,
                     schedule.repeat);
}

Schedule parse_schedule(const std::string& text, const std::string& flag, const Schedule& otherwise) {
  auto schedule = otherwise;
  std::string_view rest = text;
  std::set<std::string_view> named;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    const auto word = rest.substr(0, comma);
    bool taken = false;
    for (const auto& part : parts) taken = taken || take(word, part, schedule);
    if (!taken)
      refuse(
          text, flag,
          fmt::format("'{}' is not a part of a schedule; parts are whole numbers, active and repeat from 1",
                      word));
    if (!named.insert(word.substr(0, word.find('='))).second)
      refuse(text, flag, fmt::format("duplicate part '{}'", word.substr(0, word.find('='))));
    rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
  }
  return schedule;
}

Schedule schedule_from(const Field& field) { return parse_schedule(field.text(), field.path(), {}); }

Json profile_to_json(const RowProfile& profile) { return json_by(profile_members, profile); }

RowProfile profile_from_json(const Field& json) { return read_by<RowProfile>(profile_members, json); }

}  // namespace harness::results
