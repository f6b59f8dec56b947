// Findings about what the recorder of `tuneproof watch` knew of the program: numbers, threads, workers,
// calls.
#include "harness/support/quantity.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/host_use.hpp"
#include "harness/trace/program_advice.hpp"
#include "harness/trace/regime.hpp"
#include "harness/trace/trace_text.hpp"

#include <fmt/format.h>

namespace harness::trace {
namespace {

double working_us(const Evidence& evidence) {
  return evidence.shares[Use::arithmetic] + evidence.shares[Use::memory];
}

std::optional<Finding> denormal_numbers(const Evidence& evidence, const ProgramFacts& program) {
  if (!has_denormals(program)) return std::nullopt;
  return mark(
      evidence, "denormal_numbers", working_us(evidence), Severity::medium,
      fmt::format("{} of its {} are denormal numbers (so near to 0 that a processor computes with them "
                  "many times slower): torch.set_flush_denormal(True) makes them 0; look for why they "
                  "vanish",
                  share_text(program.denormals->share), program.denormals->where));
}

std::optional<Finding> unused_cpus(const Evidence& evidence, const ProgramFacts& program,
                                   const ThreadCalls& calls) {
  if (!leaves_cpus(program)) return std::nullopt;
  const double us = large_products_us(calls) *
                    (1 - static_cast<double>(program.threads) / static_cast<double>(program.cpus));
  return saving(evidence, "unused_cpus", us,
                fmt::format("torch computes with {} thread{} where {} CPUs are there; large products take {} "
                            "that more threads could share (torch.set_num_threads, OMP_NUM_THREADS)",
                            program.threads, program.threads == 1 ? "" : "s", program.cpus,
                            evidence.each(large_products_us(calls))));
}

std::optional<Finding> autocast_without_unit(const Evidence& evidence, const ProgramFacts& program) {
  if (!slow_autocast(program)) return std::nullopt;
  return mark(
      evidence, "autocast_without_unit", evidence.shares[Use::arithmetic], Severity::medium,
      fmt::format("autocast is on, in {}, and this processor has no unit for it: products convert their "
                  "numbers and are slower than in float32; leave autocast off here",
                  program.autocast));
}

std::optional<Finding> fp64_numbers(const Evidence& evidence, const ProgramFacts& program,
                                    const ThreadCalls& calls) {
  if (program.fp64 <= majority && !calls.products_are_double()) return std::nullopt;
  return mark(
      evidence, "fp64_numbers", working_us(evidence), Severity::low,
      fmt::format("it computes in float64; float32 takes half the bytes and half the time of products, "
                  "where its digits are enough (model.float(), and inputs alike)"));
}

std::optional<Finding> piecewise_calls(const Evidence& evidence, const ProgramFacts& program) {
  if (!calls_by_the_piece(program)) return std::nullopt;
  return mark(
      evidence, "calls_by_the_piece",
      working_us(evidence) + evidence.shares[Use::small_operators] + evidence.shares[Use::python],
      Severity::medium,
      fmt::format("a module is called {} times a step, with {} row{} each time; pass the rows of calls "
                  "that do not depend on each other in one call",
                  program.calls, program.rows, program.rows == 1 ? "" : "s"));
}

std::optional<Finding> workers_each_epoch(const Evidence& evidence, const ProgramFacts& program) {
  if (!program.epochs) return std::nullopt;
  const auto start = program.loader && !program.loader->start.empty()
                         ? fmt::format(" ({})", program.loader->start)
                         : std::string();
  return saving(
      evidence, "workers_each_epoch", program.epochs->share * evidence.window_us(),
      fmt::format("the loader's workers were started {} times{}, once for each epoch: the first step "
                  "takes {} more than the others, {} of the run; one DataLoader with "
                  "persistent_workers=True keeps them",
                  program.epochs->starts, start, us_text(program.epochs->each_s * 1e6),
                  share_text(program.epochs->share)));
}

/// Of the machine rather than the program, so it stands first only where it is most of the time.
std::optional<Finding> busy_cpus(const ProgramFacts& program) {
  if (!is_held_back(program)) return std::nullopt;
  return remark("busy_cpus", is_spoiled(program) ? Severity::high : Severity::low,
                fmt::format("for at least {} of the recorded time the training thread waited for a CPU that "
                            "another program had, and what it waited in seems to take longer than it does: "
                            "record again while the machine is quiet",
                            share_text(program.held_back)));
}

}  // namespace

Found program_findings(const Evidence& evidence, const ThreadCalls& calls) {
  const auto& program = evidence.trace.program;
  Found found{workers_each_epoch(evidence, program), busy_cpus(program)};
  if (!evidence.timeline.of_host || !shows_work(evidence.shares, evidence.stepped)) return found;
  found.push_back(denormal_numbers(evidence, program));
  found.push_back(unused_cpus(evidence, program, calls));
  found.push_back(autocast_without_unit(evidence, program));
  found.push_back(fp64_numbers(evidence, program, calls));
  found.push_back(piecewise_calls(evidence, program));
  return found;
}

}  // namespace harness::trace
