// Findings about work that every step does again and need not: allocating, compiling, recomputing, recording
// a graph that nobody uses.
#include "harness/support/quantity.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/idle_cause.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/thread_calls.hpp"
#include "harness/trace/trace_text.hpp"
#include "harness/trace/which_steps.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace harness::trace {
namespace {

std::optional<Finding> device_allocations(const Evidence& evidence) {
  double us = 0;
  double pinning_us = 0;
  std::int64_t count = 0;
  std::int64_t freed = 0;
  for (const auto id : evidence.judged_of(Kind::runtime)) {
    const auto& event = evidence.trace.events[id];
    const auto name = evidence.trace.name(event);
    // A pool in the order of a stream is a cache itself.
    if (initializes(event, name) || name.ends_with("Async")) continue;
    if (!has_any(name, {"cudaMalloc", "cudaFree", "cudaHostAlloc", "cudaHostRegister", "hipMalloc", "hipFree",
                        "hipHostMalloc"}))
      continue;
    us += us_of(event.dur);
    if (has_any(name, {"Host"})) pinning_us += us_of(event.dur);
    if (has_any(name, {"Free"})) ++freed;
    ++count;
  }
  auto finding = saving(evidence, "device_allocations", us,
                        fmt::format("{} calls allocate or free device or pinned memory and take {}; {}",
                                    count_text(count), evidence.each(us),
                                    freed > 0 ? "a caching allocator would make them once"
                                              : "what caches it still grows: record later, or look for "
                                                "sizes that differ from step to step"));
  if (2 * pinning_us > us)
    return led_by(std::move(finding), {"transfer/pinned_alloc_cost", "memory/alloc_host_cache"});
  // What is allocated and never freed is kept by a cache, which still grows.
  return freed > 0 ? finding : led_by(std::move(finding), {"memory/alloc_expandable_segments"});
}

bool compiles(const Trace& trace, const Event& event) {
  const auto name = trace.name(event);
  if (event.kind == Kind::user_annotation) return name.ends_with("(dynamo_timed)");
  return event.kind == Kind::runtime && has_any(name, {"GraphInstantiate"});
}

std::optional<Finding> compiling_in_steps(const Evidence& evidence) {
  double us = 0;
  std::int64_t count = 0;
  for (const auto id : evidence.trace.nesting.order) {
    const auto& event = evidence.trace.events[id];
    if (!evidence.judged[id] || !compiles(evidence.trace, event)) continue;
    const auto compiling = [&](EventId each) {
      return compiles(evidence.trace, evidence.trace.events[each]);
    };
    if (lies_in(evidence.trace, evidence.trace.nesting.parent[id], compiling)) continue;
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

/// The node that the engine runs and that calls the operator; no_event where none does.
EventId calling_node(const Evidence& evidence, EventId id) {
  const auto is_engine = [&](EventId event) {
    return evidence.trace.name(event).starts_with(autograd_engine);
  };
  const auto node = evidence.trace.nesting.parent[id];
  if (node == no_event || is_engine(id) || is_engine(node)) return no_event;
  const auto around = evidence.trace.nesting.parent[node];
  return around != no_event && is_engine(around) ? node : no_event;
}

/// Nodes that a checkpoint runs forwards again: their formula records no graph, only what they run again
/// does. With create_graph=True the formulas themselves record one, but for operators that never do; those
/// of a name in "_backward" would.
std::vector<bool> checkpointed(const Evidence& evidence) {
  const auto& events = evidence.trace.events;
  std::vector<bool> records(evidence.trace.names.size());
  for (const auto& event : events)
    if (event.kind == Kind::cpu_op && event.sequence >= 0) records[event.name] = true;
  std::vector<bool> nodes(events.size());
  for (const auto id : evidence.trace.nesting.order) {
    const auto node = calling_node(evidence, id);
    if (node == no_event) continue;
    const bool is_own = evidence.trace.name(node) == "CheckpointFunctionBackward";
    const bool would = records[events[id].name] || evidence.trace.name(id).ends_with("_backward");
    if (is_own || (events[id].sequence < 0 && would)) nodes[node] = true;
  }
  return nodes;
}

/// Activation checkpoints: low, because the memory that they save may be worth the time.
std::optional<Finding> recomputation(const Evidence& evidence) {
  std::vector<EventId> again;
  const auto nodes = checkpointed(evidence);
  for (const auto id : evidence.trace.nesting.order) {
    const auto& event = evidence.trace.events[id];
    const auto node = calling_node(evidence, id);
    if (event.kind == Kind::cpu_op && event.sequence >= 0 && evidence.judged[id] && node != no_event &&
        nodes[node])
      again.push_back(id);
  }
  const double us = work_us(evidence, again);
  auto finding =
      saving(evidence, "recomputation", us,
             fmt::format("{} forward operators{} run again within the backward pass, for {}, as "
                         "activation checkpoints make them; if memory is left, keep more activations",
                         rounded_text(evidence.per_step(static_cast<double>(again.size()))),
                         evidence.stepped ? " a step" : "", evidence.each(us)));
  if (finding) finding->severity = Severity::low;
  return finding;
}

/// The numbers of the nodes that a backward pass ran, in whichever thread; nothing where the trace is so old
/// that it does not say which operators are nodes.
std::optional<std::set<std::int64_t>> nodes_run(const Evidence& evidence) {
  std::vector<bool> runs(evidence.trace.names.size());
  bool old = false;
  for (NameId name = 0; name < runs.size(); ++name) {
    runs[name] = evidence.trace.names[name].starts_with(autograd_engine);
    old = old || evidence.trace.names[name].ends_with("Backward");
  }
  std::set<std::int64_t> used;
  for (const auto id : evidence.trace.nesting.order) {
    const auto& event = evidence.trace.events[id];
    if (runs[event.name] && event.sequence >= 0) used.insert(event.sequence);
  }
  if (used.empty() && old) return std::nullopt;
  return used;
}

using Forward = std::vector<std::pair<EventId, std::int64_t>>;

/// The operators that may have made nodes, with the number of the next node.
Forward forward_operators(const Evidence& evidence, const ThreadCalls& calls) {
  Forward forward;
  for (const auto id : calls.outer())
    if (const auto number = evidence.trace.events[id].sequence;
        number >= 0 && !calls.name(id).starts_with(autograd_engine))
      forward.emplace_back(id, number);
  return forward;
}

/// Up to which number the trace would show the backward pass of a node. Without any backward pass: in steps,
/// which hold theirs (other accelerators' profilers may not record it). Where it shows those of earlier
/// forward passes, later ones lie behind it; where mostly those, as in a pipeline, perhaps all of them.
std::int64_t last_shown(const Evidence& evidence, const Forward& forward,
                        const std::set<std::int64_t>& used) {
  constexpr auto all = std::numeric_limits<std::int64_t>::max();
  const auto elsewhere = [](const Event& event) { return event.kind == Kind::accelerator; };
  if (used.empty())
    return evidence.stepped && std::ranges::none_of(evidence.trace.events, elsewhere) ? all : -1;
  auto first = all;
  for (const auto& [id, number] : forward) first = std::min(first, number);
  if (*used.begin() >= first) return all;
  const auto own = std::distance(used.lower_bound(first), used.end());
  return 2 * own < std::ssize(used) ? -1 : *used.rbegin();
}

/// Forward operators that made nodes of which no backward pass ran one. An operator's number is that of the
/// next node, so it made those up to the number of the operator behind it.
std::optional<Finding> unused_graph(const Evidence& evidence, const ThreadCalls& calls) {
  const auto used = nodes_run(evidence);
  const auto forward = forward_operators(evidence, calls);
  if (!used) return std::nullopt;
  const auto last = last_shown(evidence, forward, *used);
  double us = 0;
  std::int64_t count = 0;
  EventId longest = no_event;
  for (std::size_t at = 0; at + 1 < forward.size(); ++at) {
    const auto [id, number] = forward[at];
    const auto next = forward[at + 1].second;
    if (next <= number || number > last || !calls.counts(id)) continue;
    const auto node = used->lower_bound(number);
    if (node != used->end() && *node < next) continue;
    us += us_of(evidence.trace.events[id].dur);
    longest = longer(evidence.trace, longest, id);
    ++count;
  }
  if (us < worth_reporting * evidence.window_us() || us <= 0) return std::nullopt;
  auto finding =
      mark(evidence, "unused_graph", us, Severity::low,
           fmt::format(
               "{} operators{}, which take {}{}, record an autograd graph that no backward pass uses; if "
               "that is validation or a metric, wrap it in torch.no_grad() or inference_mode(): it saves the "
               "recording and the memory, not the operators",
               rounded_text(evidence.per_step(static_cast<double>(count))), evidence.stepped ? " a step" : "",
               evidence.each(us), at_site(evidence, longest)));
  finding.severity = std::min(finding.severity, Severity::medium);  // most of that time stays
  return finding;
}

}  // namespace

Found repeated_work_findings(const Evidence& evidence, const ThreadCalls& calls) {
  return {device_allocations(evidence), compiling_in_steps(evidence), recomputation(evidence),
          unused_graph(evidence, calls)};
}

}  // namespace harness::trace
