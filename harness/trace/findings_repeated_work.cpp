// Findings about work that every step does again and need not: allocating, compiling, recomputing.
#include "harness/support/quantity.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/text.hpp"
#include "harness/trace/thread_calls.hpp"

#include <fmt/format.h>

namespace harness::trace {
namespace {

std::optional<Finding> device_allocations(const Evidence& evidence) {
  double us = 0;
  std::int64_t count = 0;
  for (EventId id = 0; id < evidence.trace.events.size(); ++id) {
    const auto& event = evidence.trace.events[id];
    if (event.kind != Kind::runtime || !evidence.judged[id]) continue;
    const auto name = evidence.trace.name(event);
    if (!has_any(name, {"cudaMalloc", "cudaFree", "cudaHostAlloc", "cudaHostRegister", "hipMalloc", "hipFree",
                        "hipHostMalloc"}))
      continue;
    us += static_cast<double>(event.dur) / 1e3;
    ++count;
  }
  return saving(evidence, "device_allocations", us,
                fmt::format("{} calls allocate or free device or pinned memory and take {}; a caching "
                            "allocator would make them once",
                            count_text(count), evidence.each(us)));
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

Found repeated_work_findings(const Evidence& evidence) {
  return {device_allocations(evidence), compiling_in_steps(evidence), recomputation(evidence)};
}

}  // namespace harness::trace
