#include "harness/worker/measure_row.hpp"

#include "harness/core/counts.hpp"
#include "harness/core/measure.hpp"
#include "harness/core/plant.hpp"
#include "harness/machine/instructions.hpp"
#include "harness/run/row_view.hpp"
#include "harness/support/field.hpp"

#include <cerrno>
#include <fstream>
#include <sys/resource.h>
#include <system_error>
#include <thread>

namespace harness::worker {
namespace {

/// The host cannot lengthen what CUDA events time.
Trial with_plant(Trial trial, const Plant& plant, const Device& device, Surroundings& around) {
  const bool slow = plant.slow_naive > 0 || plant.slow_optimized > 0;
  if (slow && trial.timer == Timer::event)
    throw Skip("cannot plant a slowdown into work that CUDA events time");
  std::function<void()> wait;
  if (device.is_cuda()) wait = [&around, device] { around.finish(device); };
  return planted(std::move(trial), plant, busy_slowdown(std::move(wait)));
}

/// The two sets, and the spacers between them. Made in random order behind spacers of random length, so that
/// neither set owes its addresses to being the first (docs/measuring.md 3).
class Sets {
 public:
  Sets(const run::StepAt& found, Bench& bench, const Plant& plant, Random random) {
    std::array<std::optional<Trial>, 2> made;
    const std::size_t first = random.coin() ? 1 : 0;
    for (const auto which : {first, 1 - first}) {
      spacers_[which] = bench.around->spacer(found.device, random);
      made[which] = bench.around->prepare(found, bench.setup);
      if (plant != Plant{})
        made[which] = with_plant(std::move(*made[which]), plant, found.device, *bench.around);
    }
    trials_ = {std::move(*made[0]), std::move(*made[1])};
  }
  const std::array<Trial, 2>& trials() const { return trials_; }

 private:
  std::array<std::shared_ptr<const void>, 2> spacers_;
  std::array<Trial, 2> trials_;
};

/// After a sticky CUDA error (an illegal address) every later call fails too; only a new process helps.
bool device_is_lost(Surroundings& around, const Device& device) {
  try {
    around.finish(device);
    return false;
  } catch (const std::exception&) {
    return true;
  }
}

/// `use` with the sets. On a device that was lost meanwhile they stay where they are: freeing them would
/// throw while the stack unwinds, and the process ends behind this row.
template <class Use>
Measurement with_sets(std::unique_ptr<const Sets> sets, const Device& device, Surroundings& around,
                      const Use& use) {
  try {
    return use(*sets);
  } catch (...) {
    if (device_is_lost(around, device)) static_cast<void>(sets.release());
    throw;
  }
}

rusage usage_so_far() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

/// Of all threads: switches that took the CPU away, and page faults without I/O.
std::int64_t involuntary_switches() { return usage_so_far().ru_nivcsw; }
std::int64_t page_faults_so_far() { return usage_so_far().ru_minflt; }

results::Row blank_row(const run::StepAt& found) {
  results::Row row;
  row.name = row_name(*found.step, found.point, found.device);
  row.step = found.step->id;
  row.at = found.point.at;
  row.device = found.device;
  row.sides = {std::string(found.step->sides.naive), std::string(found.step->sides.optimized)};
  row.expected = expected_of(*found.step, found.point, found.device);
  row.published = found.step->expectation.published;
  row.delta = found.step->delta;
  return row;
}

void raise_clocks(Bench& bench) {
  constexpr std::chrono::milliseconds long_enough{150};
  const auto canary = bench.around->canary(*bench.setup.stream);
  const auto enough = std::chrono::steady_clock::now() + long_enough;
  while (std::chrono::steady_clock::now() < enough) canary();
}

void measure_into(results::Row& row, const run::StepAt& found, Bench& bench, const RoundPlan* plan,
                  const Plant& plant) {
  const auto begin = std::chrono::steady_clock::now();
  row.stage = "setup";
  bench.setup.device = found.device;
  bench.setup.stream = bench.around->stream_for(found.device);
  bench.setup.raise_clocks = {};
  if (found.device.is_cuda()) bench.setup.raise_clocks = [&bench] { raise_clocks(bench); };
  auto sets = std::make_unique<const Sets>(
      found, bench, plant, Random(row_seed(plan != nullptr ? plan->seed : bench.setup.seed, "sets")));
  bench.around->finish(found.device);  // uploads are set-up too
  const std::chrono::duration<double> setup = std::chrono::steady_clock::now() - begin;
  row.stage = "measure";
  const auto switches = involuntary_switches();
  const Order order{tolerance_on(*found.step, found.device), plan};
  row.measured = with_sets(std::move(sets), found.device, *bench.around, [&](const Sets& made) {
    return bench.around->measure(made.trials(), bench.setup, order);
  });
  row.measured.calibrations = bench.setup.calibrations;
  if (plan != nullptr) {
    row.measured.setup_seconds = {setup.count()};
    row.measured.switches = {involuntary_switches() - switches};
  }
  row.stage.clear();
}

void profile_under(results::Row& row, const run::StepAt& found, Bench& bench, const run::ProfilePlan& plan,
                   const Walked& walked) {
  bench.setup.device = found.device;
  bench.around->profile(row, found, bench.setup, plan, walked);
}

constexpr std::chrono::milliseconds cooling{500};

ClockWatch watch(const ClockEvents& clocks) {
  return {[&clocks] { return clocks.now(); }, [] { std::this_thread::sleep_for(cooling); }};
}

void give_up(results::Row& row, Verdict verdict, std::string reason) {
  row.judged.verdict = verdict;
  row.reason = std::move(reason);
}

/// Waits for the device and gives back what the row held. Work that failed unseen says so here at the latest:
/// then it is this row that failed, and not the next one.
void settle(results::Row& row, Bench& bench) {
  if (!row.device.is_cuda()) return;
  try {
    bench.around->finish(row.device);
    bench.around->release_memory();
  } catch (const std::exception& error) {
    bench.in_doubt = true;
    if (row.judged.verdict == Verdict::failed) return;  // of what came first
    row.measured = {};
    row.stage = "measure";
    give_up(row, Verdict::failed, bench.around->fault_of(error, row.device).sentence);
  }
}

constexpr int runs_before = 2;  // allocators have then what they keep

/// Of a benchmark of one form. Two builds of it differ from 1 % on: two takes may lie apart by half of that.
std::optional<Figure> instructions_of_one(const TwoTakes& takes) {
  const auto [least, most] = std::minmax(takes.one, takes.other);
  if (most - least > instructions_apart / 2 * least) return std::nullopt;
  return Figure{"instructions", std::string(instructions_unit), least, least};
}

TwoTakes takes_of(const Trial& trial, Form form, InstructionCount& instructions) {
  const auto& run = form == Form::naive ? trial.naive : trial.optimized;
  const auto before = [&] {
    if (trial.before_slot) trial.before_slot(form);
  };
  const auto take = [&] {
    before();
    return static_cast<double>(instructions.of(run));
  };
  trial.clear();
  before();
  for (int i = 0; i < runs_before; ++i) run();
  const auto one = take();
  return {one, take()};
}

constexpr int warm_runs = 2;  // allocators and graphs have then what they keep

void mark(const std::string& calls, const Json& line) {
  std::ofstream out(calls, std::ios::app);
  out << line.dump() + "\n" << std::flush;
  if (!out) throw std::system_error(errno, std::generic_category(), calls);
}

void record_form(const Trial& trial, Form form, const results::Row& row, const std::string& calls,
                 Surroundings& around) {
  const auto drain = [&] { around.finish(row.device); };
  const auto& run = form == Form::naive ? trial.naive : trial.optimized;
  trial.clear();
  if (trial.before_slot) trial.before_slot(form);
  for (int i = 0; i < warm_runs; ++i) run();
  drain();
  mark(calls, {{"mark", "begin"}, {"row", row.name}, {"form", to_string(form)}});
  auto host = around.watch_host(calls);
  run();
  host.reset();
  mark(calls, {{"mark", "end"}});
  drain();
}

/// Runs each form until it is warm, and once more between two marks that are added to the file `calls`: lines
/// `{"mark":"begin","row":...,"form":...}` and `{"mark":"end"}`. For a device that writes its calls there.
void record_into(results::Row& row, const run::StepAt& found, Bench& bench, const std::string& calls) {
  row.stage = "setup";
  bench.setup.device = found.device;
  bench.setup.stream = bench.around->stream_for(found.device);
  const auto trial = bench.around->prepare(found, bench.setup);
  bench.around->finish(found.device);
  row.stage = "record";
  for (const auto form : {Form::naive, Form::optimized}) record_form(trial, form, row, calls, *bench.around);
  row.stage.clear();
}

/// Counts the instructions of a run of each form into the row's figures. Throws Skip where two takes differ,
/// and what the step throws.
void count_into(results::Row& row, const run::StepAt& found, Bench& bench, InstructionCount& instructions,
                const Plant& plant) {
  row.stage = "setup";
  bench.setup.device = found.device;
  const auto trial = planted(found.step->prepare(bench.setup, found.point), plant, busy_slowdown());
  row.stage = "measure";
  const auto optimized = takes_of(trial, Form::optimized, instructions);
  // The fixed work beside a benchmark of one form is as long as a clock has said: its count is another each
  // time.
  const bool one_form = run::has_one_form(row);
  const auto naive = one_form ? optimized : takes_of(trial, Form::naive, instructions);
  const auto figure = one_form ? instructions_of_one(optimized) : instructions_of(naive, optimized);
  if (!figure) throw Skip(run::why_not_counted(naive, optimized, one_form));
  row.measured.figures.push_back(*figure);
  row.stage.clear();
}

}  // namespace

results::Row measure_row(const run::StepAt& found, Bench& bench, const run::Task& task,
                         const results::Row& asked, const Walked& walked) {
  const auto begin = std::chrono::steady_clock::now();
  auto row = blank_row(found);
  bench.setup.calibrations = asked.measured.calibrations;
  const auto range = bench.around->range(row.name);
  const bool attached_before = bench.around->profiler_attached();
  std::optional<RoundPlan> plan;
  if (task.round)
    plan = RoundPlan{.round = *task.round,
                     .pairs = asked.measured.pairs,
                     .iterations = asked.measured.iterations,
                     .optimized_iterations = asked.measured.optimized_iterations,
                     .seed = row_seed(row_seed(task.seed, row.name), "round " + std::to_string(*task.round)),
                     .run_first = found.device.is_cuda(),
                     .begin = bench.begin,
                     .faults = page_faults_so_far};
  try {
    const auto near = bench.stay_near(found.device);
    if (plan && found.device.is_cuda()) plan->clocks = watch(bench.clocks_of(found.device));
    if (!task.calls.empty())
      record_into(row, found, bench, task.calls);
    else if (bench.instructions != nullptr)
      count_into(row, found, bench, *bench.instructions, task.plant);
    else if (task.profile)
      profile_under(row, found, bench, *task.profile, walked);
    else
      measure_into(row, found, bench, plan ? &*plan : nullptr, task.plant);
  } catch (const BadInput&) {
    throw;
  } catch (const Skip& skip) {
    give_up(row, Verdict::skipped, skip.what());
  } catch (const Disagreement& disagreement) {
    row.stage = "answer";
    give_up(row, Verdict::failed, disagreement.what());
  } catch (const std::exception& error) {
    bench.in_doubt = found.device.is_cuda();
    auto fault = bench.around->fault_of(error, found.device);
    give_up(row, fault.out_of_memory ? Verdict::skipped : Verdict::failed, std::move(fault.sentence));
  } catch (...) {
    bench.in_doubt = found.device.is_cuda();
    give_up(row, Verdict::failed, "the step threw something other than an exception");
  }
  settle(row, bench);
  if (task.device.is_cuda() && bench.around->profiler_attached() && !attached_before) bench.in_doubt = true;
  row.row_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return row;
}

}  // namespace harness::worker
