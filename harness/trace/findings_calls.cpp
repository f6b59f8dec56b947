// Findings about calls of the host that a device need not have seen: blocking launches, pinning, compiling,
// recomputing.
#include "harness/support/quantity.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/text.hpp"
#include "harness/trace/thread_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace harness::trace {
namespace {

/// A launch returns after about 5 us. Kernels that run longer than a short one, and end before it returned,
/// were waited for.
constexpr double nearly_all = 0.9;
constexpr double enough_kernels = 10;

std::optional<Finding> launch_blocking(const Evidence& evidence) {
  double launched = 0;
  double waited_for = 0;
  for (EventId id = 0; id < evidence.trace.events.size(); ++id) {
    const auto& kernel = evidence.trace.events[id];
    const auto call = evidence.nesting.launch[id];
    if (kernel.kind != Kind::kernel || call == no_event || !evidence.judged[id] ||
        us_of(kernel.dur) < tiny_us)
      continue;
    ++launched;
    if (evidence.trace.events[call].end() >= kernel.end()) ++waited_for;
  }
  if (launched < enough_kernels || waited_for < nearly_all * launched) return std::nullopt;
  const double us = evidence.shares[Use::wait_launch] + evidence.shares[Use::between];
  auto finding =
      mark(evidence, "launch_blocking", us, Severity::medium,
           fmt::format("{} of {} kernels from 10 us on had ended when their launch returned, as with "
                       "CUDA_LAUNCH_BLOCKING=1: the host never runs ahead, and the device idles for {} "
                       "between kernels; unset it",
                       count_text(static_cast<std::int64_t>(waited_for)),
                       count_text(static_cast<std::int64_t>(launched)), evidence.each(us)));
  finding.saves_us = us;
  return finding;
}

/// The first read of a value behind each check of gradients for infinity.
std::set<EventId> scaler_reads(const ThreadCalls& calls) {
  std::set<EventId> reads;
  bool checked = false;
  for (const auto id : calls.outer()) {
    const auto name = calls.name(id);
    if (name.starts_with("aten::_amp_foreach_non_finite_check_and_unscale")) checked = true;
    if (!checked || name != "aten::item") continue;
    reads.insert(id);
    checked = false;
  }
  return reads;
}

std::optional<Finding> grad_scaler_sync(const Evidence& evidence, const ThreadCalls& calls) {
  const auto reads = scaler_reads(calls);
  if (reads.empty()) return std::nullopt;
  const double us = total_us(blame(evidence, Use::wait_sync, [&](EventId call) {
    auto op = evidence.nesting.parent[call];
    while (op != no_event && !reads.contains(op)) op = evidence.nesting.parent[op];
    return op != no_event;
  }));
  return saving(
      evidence, "grad_scaler_sync", us,
      fmt::format("GradScaler asks the device whether gradients are finite, and nothing is queued for "
                  "{} after that; an optimizer with fused=True answers on the device, and BF16 needs no "
                  "scaler",
                  evidence.each(us)));
}

std::optional<Finding> pinning_in_step(const Evidence& evidence, const ThreadCalls& calls) {
  double us = 0;
  for (const auto id : calls.outer())
    if (calls.counts(id) && (calls.name(id) == "aten::pin_memory" || calls.name(id) == "aten::_pin_memory"))
      us += us_of(evidence.trace.events[id].dur);
  return saving(
      evidence, "pinning_in_step", us,
      fmt::format("the training thread pins memory for {}: pin_memory() allocates, copies and waits; let "
                  "the loader's thread pin (DataLoader(pin_memory=True)), or copy without pinning",
                  evidence.each(us)));
}

bool compiles(const Trace& trace, const Event& event) {
  const auto name = trace.name(event);
  if (event.kind == Kind::user_annotation) return name.ends_with("(dynamo_timed)");
  return event.kind == Kind::runtime && has_any(name, {"GraphInstantiate"});
}

std::optional<Finding> compiling_in_steps(const Evidence& evidence) {
  double us = 0;
  std::int64_t count = 0;
  for (const auto id : evidence.nesting.order) {
    const auto& event = evidence.trace.events[id];
    if (!evidence.judged[id] || !compiles(evidence.trace, event)) continue;
    auto around = evidence.nesting.parent[id];
    while (around != no_event && !compiles(evidence.trace, evidence.trace.events[around]))
      around = evidence.nesting.parent[around];
    if (around != no_event) continue;
    us += us_of(event.dur);
    ++count;
  }
  return saving(
      evidence, "compiling_in_steps", us,
      fmt::format("torch.compile or a graph's capture runs {} times within the steps, for {}; shapes or "
                  "values that differ from step to step ask for it: pad them to a few sizes, or mark them "
                  "dynamic (TORCH_LOGS=recompiles says why)",
                  count_text(count), evidence.each(us)));
}

/// True if the operator is called from within a node that the engine runs, and records nodes itself.
bool runs_again(const Evidence& evidence, EventId id) {
  const auto& nesting = evidence.nesting;
  const auto name = [&](EventId event) { return evidence.trace.name(evidence.trace.events[event]); };
  const auto node = nesting.parent[id];
  if (node == no_event || name(id).starts_with(autograd_engine) || name(node).starts_with(autograd_engine))
    return false;
  auto around = nesting.parent[node];
  if (around == no_event || !name(around).starts_with(autograd_engine)) return false;
  return evidence.trace.events[id].sequence >= 0;
}

/// Activation checkpoints: low, because the memory that they save may be worth the time.
std::optional<Finding> recomputation(const Evidence& evidence) {
  std::vector<EventId> again;
  for (const auto id : evidence.nesting.order)
    if (evidence.trace.events[id].kind == Kind::cpu_op && evidence.judged[id] && runs_again(evidence, id))
      again.push_back(id);
  const double us = work_us(evidence, again);
  auto finding =
      saving(evidence, "recomputation", us,
             fmt::format("{:.0f} forward operators{} run again within the backward pass, for {}, as "
                         "activation checkpoints make them; if memory is left, keep more activations",
                         evidence.per_step(static_cast<double>(again.size())),
                         evidence.stepped ? " a step" : "", evidence.each(us)));
  if (finding) finding->severity = Severity::low;
  return finding;
}

}  // namespace

Found call_findings(const Evidence& evidence, const ThreadCalls& calls) {
  return {launch_blocking(evidence), grad_scaler_sync(evidence, calls), pinning_in_step(evidence, calls),
          compiling_in_steps(evidence), recomputation(evidence)};
}

}  // namespace harness::trace
