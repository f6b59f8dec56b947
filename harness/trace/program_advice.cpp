#include "harness/trace/program_advice.hpp"

#include "harness/support/quantity.hpp"
#include "harness/trace/device_time.hpp"
#include "harness/trace/host_use.hpp"
#include "harness/trace/idle_cause.hpp"
#include "harness/trace/launch_calls.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::trace {
namespace {

/// A share of a CPU that a thread has which only computes.
constexpr double computing = 0.8;
/// A share of the time that a thread waits for CPUs of other programs on a machine that is quiet enough.
constexpr double usual_waits = 0.10;
/// From here on the kinds of its operators tell nothing.
constexpr double spoiling_waits = 0.25;
/// On a busy machine the waiting is longer than its cause.
constexpr double clearly = 0.7;
/// A sample that takes less costs about as much to pass between processes.
constexpr double light_sample_us = 100;

std::string plural(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

constexpr std::string_view more_workers = "dataload/workers_slow_source";
constexpr std::string_view no_workers = "dataload/workers_ready_source";
constexpr std::string_view once_for_all = "dataload/precompute_transform";

/// The part of the waiting for input that lies in steps in which an epoch began.
double share_in_epoch_starts(const Evidence& evidence) {
  double all = 0;
  double starting = 0;
  for (const auto& step : evidence.host.steps) {
    if (std::ranges::none_of(evidence.spans,
                             [&](const Span& judged) { return judged.begin == step.timed.begin; }))
      continue;
    const double waits = shares(evidence.timeline, {&step.timed, 1})[Use::wait_input];
    const auto number = number_of_step(step.name);
    all += waits;
    if (number && std::ranges::count(evidence.trace.program.epoch_steps, *number) > 0) starting += waits;
  }
  return share(starting, all);
}

LoaderAdvice own_process_advice(const Evidence& evidence, double wait_us) {
  const auto& program = evidence.trace.program;
  const bool computes = program.used_cpus >= computing;
  const double sample_us =
      program.loader->batch > 0 ? evidence.per_step(wait_us) / static_cast<double>(program.loader->batch) : 0;
  if (computes && sample_us > 0 && sample_us < light_sample_us)
    return {fmt::format("a sample takes only {}: take a batch at a time instead (index the tensors, or "
                        "__getitems__); worker processes would cost more than they load",
                        us_text(sample_us)),
            "dataload/vectorize"};
  if (computes && program.cpus == 1)
    return {
        "there is one CPU, so worker processes cannot help: make the samples cheaper, once for all epochs",
        once_for_all};
  return {fmt::format("load ahead in worker processes ({})",
                      program.cpus == 1 ? "there is 1 CPU" : fmt::format("there are {} CPUs", program.cpus)),
          more_workers};
}

/// Of the judged steps, where all workers load all the time, and their batches come at the worst times.
double longest_mean_wait_s(const LoaderFacts& loader, const Evidence& evidence) {
  const auto steps = static_cast<double>(std::max<std::size_t>(evidence.spans.size(), 1));
  return loader.load_s * std::ceil(steps / static_cast<double>(loader.workers)) / steps;
}

LoaderAdvice workers_advice(const Evidence& evidence, double wait_us) {
  const auto& program = evidence.trace.program;
  const auto& loader = *program.loader;
  const auto workers = plural(loader.workers, "worker");
  const auto* s = loader.workers == 1 ? "s" : "";  // of what it does
  if (share_in_epoch_starts(evidence) > majority)
    return {fmt::format("most of it is in the first step of an epoch, where its {} start{}: "
                        "persistent_workers=True keeps them",
                        workers, s),
            "dataload/persistent_workers"};
  const double wait_s = evidence.per_step(wait_us) / 1e6;
  const bool computes = loader.cpu_s >= loader.load_s / 2;
  if (computes && loader.threads > 1 && loader.workers * loader.threads > program.cpus)
    return {
        fmt::format("its {} of {} threads share{} {}: take fewer of both, at most {} of one thread", workers,
                    loader.threads, s, plural(program.cpus, "CPU"), plural(program.cpus, "worker")),
        no_workers};
  if (computes && loader.load_s < clearly * wait_s)
    return {fmt::format("its {} only cost{}: a batch takes {} to load and longer to wait for; load in the "
                        "training process (num_workers=0), and where the data lie in memory, index them a "
                        "batch at a time",
                        workers, s, us_text(loader.load_s * 1e6)),
            no_workers};
  if (computes && loader.workers >= program.cpus)
    return {
        fmt::format("its {} compute{} on {}, so more cannot help: make the samples cheaper, or once for all "
                    "epochs",
                    workers, s, plural(program.cpus, "CPU")),
        once_for_all};
  if (evidence.stepped && longest_mean_wait_s(loader, evidence) < clearly * wait_s)
    return {
        fmt::format("its {} take{} {} to load a batch on average, which is too little for this wait, so more "
                    "cannot help: some batches come late, so prefetch more, or other programs take the CPUs",
                    workers, s, us_text(loader.load_s * 1e6)),
        "dataload/prefetch_factor"};
  if (computes)
    return {
        fmt::format("its {} compute{} all the time, and there are {} CPUs: add workers, or make the samples "
                    "cheaper",
                    workers, s, program.cpus),
        more_workers};
  return {
      fmt::format("its {} wait{} for files or for others rather than compute: add workers, or prefetch more",
                  workers, s),
      more_workers};
}

std::vector<std::string> ways_to_compute(const ProgramFacts& program) {
  std::vector<std::string> ways;
  if (has_denormals(program)) ways.emplace_back("torch.set_flush_denormal(True), for its denormal numbers");
  if (program.fp64 > majority) ways.emplace_back("float32 instead of float64");
  if (slow_autocast(program))
    ways.push_back(
        fmt::format("leaving autocast off, for the processor has no unit for {}", program.autocast));
  if (leaves_cpus(program))
    ways.push_back(fmt::format("all {} CPUs instead of {}", program.cpus, plural(program.threads, "thread")));
  if (calls_by_the_piece(program)) ways.emplace_back("more rows in each call of the model");
  if (program.autocast.empty() && program.bf16_unit.value_or(false))
    ways.emplace_back("BF16 (torch.autocast), for which the processor has a unit");
  return ways;
}

/// True if nothing speaks against it that the recorder looks for, and it has looked.
bool is_where_it_should_be(const ProgramFacts& program, const ThreadCalls& calls, double products_us) {
  const bool looked = program.cpus > 0 && program.threads > 0 && program.denormals && program.calls > 0;
  return looked && !is_held_back(program) && !has_denormals(program) && program.fp64 <= majority &&
         !slow_autocast(program) && !leaves_cpus(program) && !calls_by_the_piece(program) &&
         program.used_cpus >= computing * static_cast<double>(program.cpus) &&
         large_products_us(calls) > majority * products_us;
}

std::string compute_change(const Evidence& evidence) {
  const auto& program = evidence.trace.program;
  auto ways = ways_to_compute(program);
  ways.emplace_back("less arithmetic");
  std::string text;
  for (std::size_t at = 0; at < ways.size(); ++at)
    text += (at == 0 ? "" : at + 1 == ways.size() ? ", or " : ", ") + ways[at];
  if (is_where_it_should_be(program, ThreadCalls(evidence), evidence.shares[Use::arithmetic]))
    text += fmt::format(
        "; this is where a processor should be: {} CPUs work on products, and no denormal "
        "numbers were found",
        program.cpus);
  return text;
}

/// A share of denormal numbers from which on they are named.
constexpr double many_denormals = 0.01;

/// A module that is called so often in a step, with so few rows each time, works by the piece.
constexpr std::int64_t many_calls = 8;
constexpr std::int64_t few_rows = 16;

/// A product that runs longer is worth several threads.
constexpr std::int64_t large_product_ns = 100'000;

}  // namespace

double large_products_us(const ThreadCalls& calls) {
  std::int64_t ns = 0;
  for (const auto id : calls.products())
    if (calls.self_ns(id) >= large_product_ns) ns += calls.self_ns(id);
  return us_of(ns);
}

bool has_denormals(const ProgramFacts& program) {
  return program.denormals && program.denormals->share >= many_denormals;
}

bool is_held_back(const ProgramFacts& program) { return program.held_back >= usual_waits; }
bool is_spoiled(const ProgramFacts& program) { return program.held_back >= spoiling_waits; }

bool slow_autocast(const ProgramFacts& program) { return !program.autocast_unit().value_or(true); }

bool leaves_cpus(const ProgramFacts& program) {
  const auto workers = program.loader ? program.loader->workers : 0;
  return program.threads > 0 && program.threads < program.cpus - workers;
}

bool calls_by_the_piece(const ProgramFacts& program) {
  return program.calls >= many_calls && !program.chained && program.rows > 0 && program.rows <= few_rows;
}

std::optional<Finding> advised(std::optional<Finding> finding, const LoaderAdvice& advice) {
  if (!finding || advice.step.empty()) return finding;
  auto& steps = finding->steps;
  std::erase_if(steps, [&](const auto& step) { return step == advice.step || step == more_workers; });
  steps.insert(steps.begin(), std::string(advice.step));
  return finding;
}

LoaderAdvice loader_advice(const Evidence& evidence, double wait_us, std::string_view otherwise) {
  const auto& program = evidence.trace.program;
  if (!program.loader || program.cpus == 0) return {std::string(otherwise), {}};
  if (program.loader->workers == 0) return own_process_advice(evidence, wait_us);
  return program.loader->load_s > 0 ? workers_advice(evidence, wait_us)
                                    : LoaderAdvice{std::string(otherwise), {}};
}

namespace {

bool in_half(std::string_view kernel) {
  const auto arithmetic = kernel_arithmetic(kernel);
  return arithmetic == Arithmetic::bf16 || arithmetic == Arithmetic::fp16 || has_any(kernel, {"fp8", "e4m3"});
}

std::string half_advice(const DeviceModel* model) {
  const bool faster = model != nullptr && model->tf32_tflops > 0 && model->fp16_tflops > model->tf32_tflops;
  return fmt::format(
      "BF16 or FP16 (autocast), which tensor cores take {} TF32, in which most products run; or "
      "less arithmetic",
      faster ? fmt::format("at {} times the rate of", digits_text(model->fp16_tflops / model->tf32_tflops))
             : "faster than");
}

/// The time of the products that graphs launched.
double products_in_graphs_us(const Evidence& evidence) {
  if (evidence.shares.launches.graphs == 0) return 0;
  ByName kind_of(evidence.trace, kernel_kind);
  double us = 0;
  for (const auto id : evidence.judged_of(Kind::kernel)) {
    const auto& event = evidence.trace.events[id];
    if (is_product(kind_of(event)) && is_in_graph(evidence.trace, id))
      us += static_cast<double>(event.dur) / 1e3;
  }
  return us;
}

/// Of a device: what its kernels' names and the lack of operators tell.
void advise_on_device(const Evidence& evidence, RegimeVerdict& verdict) {
  const auto idle = evidence.shares[Use::wait_launch] + evidence.shares[Use::wait_other];
  if (idle > majority * evidence.window_us() && can_be_judged(evidence.shares) &&
      !shows_host(evidence.trace)) {
    verdict.would_change = "first a recording of what the host does meanwhile (ProfilerActivity.CPU)";
    if (verdict.regime == Regime::unknown)
      verdict.evidence = fmt::format(
          "for {} of the time the device idles, and nothing shows what the host did: "
          "the trace has no operators and no ranges",
          share_text(idle / evidence.window_us()));
  }
  if (verdict.regime != Regime::compute) return;
  double all = 0;
  double half = 0;
  double tf32 = 0;
  double unknown = 0;
  for (const auto& row : evidence.kernels.rows) {
    if (!is_product(row.kind)) continue;
    all += row.us;
    if (in_half(row.name))
      half += row.us;
    else if (kernel_arithmetic(row.name) == Arithmetic::unknown)
      unknown += row.us;
    if (kernel_arithmetic(row.name) == Arithmetic::tf32) tf32 += row.us;
  }
  if (tf32 > majority * all)
    verdict.would_change = half_advice(evidence.model);
  else if (products_in_graphs_us(evidence) > majority * all)
    verdict.would_change =
        "less arithmetic, or fewer bytes: the trace has no shapes of products that a graph launches, and "
        "thin ones (a batch of one) only read their weights";
  else if (half + tf32 > majority * all)
    verdict.would_change =
        "less arithmetic: most products run on tensor cores already; this is where a device should be";
  else if (unknown > majority * all)
    verdict.would_change =
        "less arithmetic, or a narrower type: the names of most products do not tell theirs";
}

/// Where the thread waits for another one: what that one runs.
void name_other_thread(const Evidence& evidence, RegimeVerdict& verdict) {
  const double waits = evidence.shares[Use::wait_other];
  if (verdict.regime != Regime::unknown || waits <= evidence.shares[Use::unknown_work]) return;
  const auto thread = training_thread(evidence.trace);
  const auto blames =
      blame(evidence, Use::wait_other, [&](EventId id) { return evidence.trace.events[id].track != thread; });
  if (2 * total_us(blames) < waits) return;
  verdict.evidence = fmt::format("the training thread waits for another thread for {} of the time{}",
                                 share_text(total_us(blames) / evidence.window_us()), most_by(blames));
  verdict.would_change = "what shortens the work of that thread, whose operators the table shows";
}

/// True if the loader's workers, with the threads that they compute with, keep all CPUs busy.
bool oversubscribed(const Evidence& evidence) {
  const auto& program = evidence.trace.program;
  if (!program.loader || program.cpus == 0 || !evidence.stepped) return false;
  const auto& loader = *program.loader;
  const double step_s = evidence.per_step(evidence.window_us()) / 1e6;
  return loader.threads > 1 && loader.workers * loader.threads > program.cpus &&
         program.used_cpus + loader.cpu_s / step_s >= computing * static_cast<double>(program.cpus);
}

/// An operator's time is then also its wait for a CPU, and where its threads wait for one another the wait is
/// longer than what is known of it: its kinds decide nothing.
void say_held_back(const Evidence& evidence, RegimeVerdict& verdict) {
  const auto& program = evidence.trace.program;
  if (!is_held_back(program)) return;
  const auto kept = fmt::format("other programs kept its thread from a CPU for at least {} of the time",
                                share_text(program.held_back));
  const bool by_kinds = evidence.timeline.of_host && verdict.regime != Regime::unknown &&
                        verdict.regime != Regime::input && verdict.regime != Regime::communication;
  if (is_spoiled(program) && by_kinds) {
    verdict.regime = Regime::unknown;
    verdict.evidence = kept + ", so the time of an operator is also its wait for a CPU";
  } else {
    verdict.evidence += "; " + kept;
  }
  if (is_spoiled(program)) verdict.would_change = "recording again while the machine is quiet";
}

/// An operator's time is then also its wait for a CPU, so the kinds of the operators decide nothing.
void say_oversubscribed(const Evidence& evidence, RegimeVerdict& verdict) {
  if (verdict.regime == Regime::input || verdict.regime == Regime::communication || !oversubscribed(evidence))
    return;
  const auto& program = evidence.trace.program;
  verdict.regime = Regime::unknown;
  verdict.evidence = fmt::format(
      "its {} of {} threads and the training share {}, so the time of an operator is also its wait for a CPU",
      plural(program.loader->workers, "worker"), program.loader->threads, plural(program.cpus, "CPU"));
  verdict.would_change = fmt::format("fewer workers of one thread each, at most {}", program.cpus);
}

/// Of a training thread: what the recorder knew, and what another thread did meanwhile.
void advise_on_thread(const Evidence& evidence, RegimeVerdict& verdict) {
  name_other_thread(evidence, verdict);
  if (!evidence.trace.program.known) return;
  say_oversubscribed(evidence, verdict);
  if (verdict.regime == Regime::compute) verdict.would_change = compute_change(evidence);
  if (verdict.regime != Regime::input) return;
  const double us = evidence.shares[Use::wait_input] + evidence.shares[Use::transform];
  verdict.would_change = loader_advice(evidence, us, verdict.would_change).text;
}

}  // namespace

void advise(const Evidence& evidence, RegimeVerdict& verdict) {
  if (evidence.timeline.of_host)
    advise_on_thread(evidence, verdict);
  else
    advise_on_device(evidence, verdict);
  say_held_back(evidence, verdict);
}

}  // namespace harness::trace
