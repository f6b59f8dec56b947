#include "harness/programs/command_runner.hpp"

#include "harness/core/canary.hpp"
#include "harness/core/counts.hpp"
#include "harness/core/median.hpp"
#include "harness/core/slot_order.hpp"
#include "harness/programs/room.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

namespace harness::programs {
namespace {

using std::chrono::steady_clock;

constexpr auto axis = "command";
constexpr auto quads_key = "quads";
constexpr double quads_fill = 0.25;  // seconds of a round at least, where commands are short

Figure figure_of(const Plan& plan, double first, double other) {
  switch (plan.metric) {
    case Metric::cpu:
      return {"CPU time", "s", first, other};
    case Metric::memory:
      return {"peak memory", "B", first, other};
    case Metric::instructions:
      return {"instructions", std::string(instructions_unit), first, other};
    case Metric::step:
      return {"a step", "s", first, other};
    default:
      return {plan.more_is_better ? "1 / " + plan.printed : plan.printed, "", first, other};
  }
}

/// ln(other / first) of a quad.
double log_ratio(const std::array<double, 4>& values, bool first_outside) {
  const auto inside = std::log(values[1]) + std::log(values[2]);
  const auto outside = std::log(values[0]) + std::log(values[3]);
  return (first_outside ? inside - outside : outside - inside) / 2;
}

std::string step_of(const Plan& plan) {
  return fmt::format("versus/{}", plan.more_is_better ? "rate" : to_string(plan.metric));
}

/// The command of a row of such a session. Throws BadInput, which names the file, where it has another one.
std::size_t candidate_of(const results::Row& row, const Plan& plan, const std::string& file) {
  const auto place = row.at.size() == 1 ? row.at.front().value : 0;
  if (place < 1 || std::cmp_greater_equal(place, plan.candidates.size()) || row.step != step_of(plan) ||
      plan.candidates[static_cast<std::size_t>(place)].name != row.at.front().text)
    throw BadInput(file + ": the row " + shown(row.name) + " is of no command that the file names");
  return static_cast<std::size_t>(place);
}

}  // namespace

int quads_of(double first_seconds, double other_seconds) {
  const auto quads = quads_fill / (2 * (first_seconds + other_seconds));
  return quads <= 1 ? 1 : std::min(most_quads, 2 * static_cast<int>(std::ceil(quads / 2)));
}

std::vector<results::Row> blank_rows(const Plan& plan, double delta) {
  std::vector<results::Row> rows;
  for (std::size_t i = 1; i < plan.candidates.size(); ++i) {
    const auto& name = plan.candidates[i].name;
    results::Row row;
    row.step = step_of(plan);
    row.name = fmt::format("{}/{}:{}", row.step, axis, name);
    row.at = {{axis, static_cast<std::int64_t>(i), name}};
    row.published = "no figure";
    row.sides = {plan.candidates.front().name, name};
    row.delta = delta;
    rows.push_back(std::move(row));
  }
  return rows;
}

void check_rows(const std::vector<results::Row>& rows, const Plan& plan, const std::string& file) {
  std::size_t place = 0;
  for (const auto& row : rows) {
    if (candidate_of(row, plan, file) != ++place)
      throw BadInput(file + ": the row " + shown(row.name) + " is not in the order of its commands");
    if (row.measured.iterations == 0) continue;
    const auto quads = row.measured.calibrations.find(quads_key);
    if (quads == row.measured.calibrations.end() || quads->second > most_quads)
      throw BadInput(fmt::format("{}: the row {} does not say how many quads a round has, of 1 to {}", file,
                                 shown(row.name), most_quads));
  }
  if (place + 1 != plan.candidates.size())
    throw BadInput(fmt::format("{}: has {} commands and {} rows", file, plan.candidates.size(), place));
}

void renew_figure(results::Row& row) {
  if (row.naive_seconds <= 0 || row.measured.figures.empty()) return;
  auto& figure = row.measured.figures.front();
  const bool counts = figure.unit == "B" || figure.unit == instructions_unit;
  const auto value = [&](double seen) { return counts ? std::round(seen) : seen; };
  figure.naive = value(row.naive_seconds);
  figure.optimized = value(results::shown_optimized(row));
}

CommandRunner::CommandRunner(const Plan& plan, const results::Results& results, run::RunOutput& output,
                             CommandMeter& meter, Seconds spent)
    : plan_(plan),
      results_(results),
      output_(output),
      meter_(meter),
      spent_(spent),
      begin_(steady_clock::now()) {}

/// The last of the untimed runs; the others only warm caches up. Throws RunFailed where the budget ends
/// first: no command that has not once come to its end can be measured.
Measured CommandRunner::warmed_up(const Candidate& candidate) {
  for (int i = 1; i < plan_.warmup && !meter_.is_ended(); ++i) meter_.measure(candidate);
  auto measured = meter_.is_ended() ? Measured{} : meter_.measure(candidate);
  if (meter_.is_ended() && !meter_.signal())
    throw RunFailed(
        "it had not ended when --budget was over: a larger --budget waits longer, and --timeout ends what "
        "hangs");
  return measured;
}

results::Row CommandRunner::rehearsed(results::Row row, const Candidate& other) {
  if (!first_) {
    try {
      first_ = warmed_up(plan_.candidates.front());
    } catch (const RunFailed& failed) {
      throw RunFailed(fmt::format("the first command: {}", failed.what()));
    }
  }
  if (meter_.is_ended()) return row;
  const auto measured = warmed_up(other);
  if (meter_.is_ended()) return row;
  if (const auto reason = why_not_same(plan_, first_->same, measured.same); !reason.empty())
    throw RunFailed(reason);
  if (!std::isnormal(measured.value / first_->value))
    throw RunFailed(fmt::format("its metric is {:g} and the first command's {:g}, too far apart for a ratio",
                                measured.value, first_->value));
  row.measured.iterations = 1;
  const auto quads = quads_of(first_->run.seconds, measured.run.seconds);
  row.measured.calibrations[quads_key] = quads;
  fewest_quads_ = std::min(fewest_quads_, quads);
  row_seconds_[row.name] = 2 * quads * (first_->run.seconds + measured.run.seconds);
  if (plan_.metric == Metric::wall) return row;
  row.measured.statistic = Statistic::figure;
  row.measured.figures = {figure_of(plan_, first_->value, measured.value)};
  return row;
}

results::Row CommandRunner::timed(results::Row row, int round, const Candidate& other) {
  Random random(row_seed(row_seed(results_.session.seed, row.name), "round " + std::to_string(round)));
  bool first_outside = random.coin();
  std::vector<double> ratios;
  std::int64_t switches = 0;
  const auto quads = row.measured.calibrations[quads_key];
  for (int quad = 0; quad < quads; ++quad, first_outside = !first_outside) {
    std::array<double, 4> values{};
    for (int slot = 0; slot < 4; ++slot) {
      const bool first = first_outside == (slot == 0 || slot == 3);
      const auto start = Seconds(steady_clock::now() - begin_).count();
      const auto measured = meter_.time(first ? plan_.candidates.front() : other);
      if (meter_.is_ended()) return row;
      values.at(static_cast<std::size_t>(slot)) = measured.value;
      switches += measured.run.switches;
      row.measured.samples.push_back({.round = round,
                                      .pair = quad / 2,
                                      .quad = quad % 2,
                                      .slot = slot,
                                      .form = first ? Form::naive : Form::optimized,
                                      .seconds = measured.value,
                                      .cpu_seconds = measured.run.cpu_seconds,
                                      .start = start});
    }
    ratios.push_back(log_ratio(values, first_outside));
  }
  row.measured.log_ratios = {median(std::move(ratios))};
  row.measured.setup_seconds = {0};
  row.measured.switches = {switches};
  return row;
}

/// Before the first round: whoever waits for them hears that they will not do, or that they mostly start up.
/// `left`: of a budget.
void CommandRunner::tell_room(std::optional<Seconds> left) {
  const auto& session = results_.session;
  const Rule rule{.looks = session.looks, .alpha = session.alpha, .early = session.early};
  const bool counts = plan_.metric == Metric::instructions;  // they need not lie apart: they do not scatter
  Room room{.left = left.value_or(Seconds(0)).count(),
            .spent = (spent_ + Seconds(steady_clock::now() - begin_)).count(),
            .needed = counts ? first_look(session) : first_process_look(rule, 2 * fewest_quads_),
            .open = session.looks.front()};
  for (const auto& [name, seconds] : row_seconds_) room.round += seconds;
  if (room.round <= 0 || meter_.is_ended()) return;
  room.run = first_->run.seconds;
  if (const auto& seen = first_->steps) {
    room.steps = seen->seconds;
    room.step = seen->step();
  }
  const auto tell = [&](const std::string& text) {
    if (!text.empty()) output_.say("tuneproof: " + text);
    return !text.empty();
  };
  if (left && tell(room_text(room, plan_))) return;
  if (left) tell(open_text(room, plan_));
  tell(start_text(room, plan_));
}

run::PassOutcome CommandRunner::run(const run::Pass& pass, const std::function<void(results::Row)>& ended) {
  const auto begin = steady_clock::now();
  if (pass.budget)
    meter_.end_at(begin +
                  std::chrono::duration_cast<steady_clock::duration>(run::with_overtime(*pass.budget)));
  run::PassOutcome outcome;
  const auto look_at_canary = [&] { outcome.disturbance.canary_seconds.push_back(canary_seconds()); };
  double left = 0;  // seconds up to the next look
  for (const auto& row : pass.rows) left += row_seconds_[row.name] * (pass.look - pass.round.value_or(0));
  output_.progress().begin_pass(
      {.pass = pass.round ? fmt::format("round {}/{}", *pass.round + 1, pass.look) : "warm-up",
       .rows = static_cast<int>(pass.rows.size()),
       .expected_left = left,
       .budget = pass.budget});
  for (const auto& place : pass.rows) {
    // One row is warmed up however short the budget is: it shows how long a round takes. Where the first
    // command has come to no end, each row says so.
    const bool needed = !pass.round && (outcome.workers == 0 || !first_);
    if (!needed && pass.budget && steady_clock::now() - begin > *pass.budget) break;
    look_at_canary();
    output_.progress().begin_row(place.at.front().text);
    const auto row_begin = steady_clock::now();
    const auto& other = plan_.candidates[candidate_of(place, plan_, results_.file)];
    auto row = place;
    try {
      row = pass.round ? timed(place, *pass.round, other) : rehearsed(place, other);
    } catch (const RunFailed& failed) {
      row.judged.verdict = Verdict::failed;
      row.stage = pass.round ? "measure" : "setup";
      row.reason = failed.what();
    }
    if (meter_.signal() || (pass.round && meter_.is_ended())) break;
    row.row_seconds = Seconds(steady_clock::now() - row_begin).count();
    if (pass.round) row_seconds_[row.name] = row.row_seconds;
    output_.progress().end_row(row.row_seconds);
    ++outcome.workers;
    for (const auto switches : row.measured.switches) outcome.disturbance.involuntary_switches += switches;
    ended(std::move(row));
  }
  look_at_canary();
  if (!pass.round) {
    const Seconds spent = steady_clock::now() - begin;
    tell_room(pass.budget ? std::optional(*pass.budget - spent) : std::nullopt);
  }
  outcome.signal = meter_.signal();
  return outcome;
}

}  // namespace harness::programs
