// Findings about the way of data to the device: loading, pinning, copying, and operators that
// only copy.
#include "harness/support/quantity.hpp"
#include "harness/trace/findings.hpp"
#include "harness/trace/model_copies.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/program_advice.hpp"
#include "harness/trace/thread_calls.hpp"
#include "harness/trace/trace_text.hpp"
#include "harness/trace/which_steps.hpp"

#include <fmt/format.h>

namespace harness::trace {
namespace {

/// The waits of the device whose cause is a copy that the host has not begun, not a range that loads.
std::vector<Moment> waits_for_copies(const Evidence& evidence) {
  std::vector<Moment> moments;
  for (const auto& moment : evidence.timeline.moments)
    if (moment.use == Use::wait_input && moment.cause != no_event &&
        !is_range(evidence.trace.events[moment.cause].kind))
      moments.push_back(moment);
  return moments;
}

std::optional<Finding> data_loader_wait(const Evidence& evidence) {
  const auto blames =
      blame(evidence, Use::wait_input, [&](EventId id) { return is_range(evidence.trace.events[id].kind); });
  if (blames.empty()) return std::nullopt;
  const double us = total_us(blames);
  const auto& name = blames.front().name;
  const auto* what = name.find("_SingleProcessDataLoaderIter") != name.npos
                         ? "it loads in the training process (0 workers), so load ahead in worker processes"
                         : "add workers, prefetch more or make the transforms cheaper";
  const auto advice = loader_advice(evidence, us, what);
  return advised(saving(evidence, "data_loader_wait", us,
                        fmt::format("the data loader keeps the device idle for {}{}; {}", evidence.each(us),
                                    most_by(blames), advice.text)),
                 advice);
}

/// The operator of the training thread that runs longest while the device waits for a copy, if it takes half
/// of that time: "aten::randn"; else "".
std::string_view preparer(const Evidence& evidence, const ThreadCalls& calls, double waited_us) {
  const auto& events = evidence.trace.events;
  std::map<std::string_view, std::int64_t> ns;
  for (const auto& moment : waits_for_copies(evidence)) {
    auto op = std::ranges::partition_point(calls.outer(),
                                           [&](EventId id) { return events[id].end() <= moment.begin; });
    for (; op != calls.outer().end() && events[*op].ts < moment.end; ++op)
      if (evidence.judged[*op])
        ns[calls.name(*op)] +=
            std::min(events[*op].end(), moment.end) - std::max(events[*op].ts, moment.begin);
  }
  const auto most = std::ranges::max_element(ns, {}, [](const auto& entry) { return entry.second; });
  return most == ns.end() || 2 * us_of(most->second) < waited_us ? "" : most->first;
}

/// The Python function in which the host was for half of the longest such wait or more; "" where none was
/// recorded.
std::string preparing_function(const Evidence& evidence) {
  const auto waits = waits_for_copies(evidence);
  if (waits.empty()) return "";
  const auto& longest = *std::ranges::max_element(waits, {}, &Moment::length);
  const auto call = evidence.trace.nesting.launch[longest.cause];
  return call == no_event
             ? ""
             : frame_within(evidence.trace, evidence.trace.events[call].track, longest.begin, longest.end);
}

bool shows_python(const Trace& trace) {
  return std::ranges::any_of(trace.events,
                             [](const Event& event) { return event.kind == Kind::python_function; });
}

/// Waiting for a batch that the host has not begun to copy: its cause is the copy.
std::optional<Finding> input_preparation(const Evidence& evidence, const ThreadCalls& calls) {
  const auto blames =
      blame(evidence, Use::wait_input, [&](EventId id) { return !is_range(evidence.trace.events[id].kind); });
  const double us = total_us(blames);
  const auto by = preparer(evidence, calls, us);
  const auto function = by.empty() ? preparing_function(evidence) : "";
  const auto stacks = option(evidence, "--stacks", "with_stack=True");
  const bool hint = by.empty() && function.empty() && !shows_python(evidence.trace);
  return fit_to_host_operator(
      saving(evidence, "input_preparation", us,
             fmt::format("the device idles for {} before the host copies a batch{}{}{}; if it prepares the "
                         "batch meanwhile{}, do so ahead, in worker processes, or on the device",
                         evidence.each(us), most_by(blames),
                         by.empty() ? "" : fmt::format("; {} takes most of it", by),
                         function.empty() ? "" : "; most of it passes in " + function,
                         hint ? fmt::format(" ({} shows what it does)", stacks) : "")),
      by);
}

/// Copies that the model makes of its own accord: no loader brings them sooner.
std::optional<Finding> model_copies(const Evidence& evidence) {
  const auto blames = blame(evidence, Use::copy_model);
  if (blames.empty()) return std::nullopt;
  const double us = total_us(blames);
  const ModelCopies copies(evidence.trace);
  const auto returning =
      total_us(blame(evidence, Use::copy_model, [&](EventId id) { return copies.returns(id); }));
  if (2 * returning > us)
    return led_by(
        saving(evidence, "model_copies", us,
               fmt::format("copies to the device of what the optimizer updated on the host take {} that no "
                           "kernel hides{}; copy each part as soon as it is updated, or let the optimizer "
                           "run on the device",
                           evidence.each(us), most_by(blames))),
        {"transfer/stay_on_device"});
  return saving(
      evidence, "model_copies", us,
      fmt::format("copies to the device within the forward or the backward pass take {} that no kernel "
                  "hides{}; make these tensors on the device, or keep them there",
                  evidence.each(us), most_by(blames)));
}

/// True if the exposed copies run on the stream of the kernels, where nothing can run beside them.
bool on_kernels_stream(const Evidence& evidence) {
  std::map<std::int32_t, std::int64_t> kernels;
  std::map<std::int32_t, std::int64_t> copies;
  for (EventId id = 0; id < evidence.trace.events.size(); ++id) {
    const auto& event = evidence.trace.events[id];
    if (!evidence.judged[id] || event.device != evidence.timeline.device) continue;
    if (event.kind == Kind::kernel) kernels[event.stream] += event.dur;
    if (event.kind == Kind::memcpy && event.direction == Direction::host_to_device)
      copies[event.stream] += event.dur;
  }
  const auto busiest = [](const auto& streams) {
    return std::ranges::max_element(streams, {}, [](const auto& stream) { return stream.second; });
  };
  return !kernels.empty() && !copies.empty() && busiest(kernels)->first == busiest(copies)->first;
}

/// ROCm does not record through which memory a copy went: then nothing is said of it.
std::string_view memory_of(const Evidence& evidence) {
  const auto unknown = [](const Event& event) {
    return event.kind == Kind::memcpy && event.direction == Direction::host_to_device &&
           event.host_memory == HostMemory::unknown;
  };
  return std::ranges::any_of(evidence.trace.events, unknown) ? "" : " from pinned memory";
}

/// The copies, and what their calls took before they began.
std::optional<Finding> copies_in(const Evidence& evidence, bool pageable) {
  const auto copies = blame(evidence, Use::copy_in, [&](EventId id) {
    return (evidence.trace.events[id].host_memory == HostMemory::pageable) == pageable;
  });
  const double us = total_us(copies);
  const auto* stream = !pageable && on_kernels_stream(evidence)
                           ? ", on the kernels' own stream: only another one can overlap with them"
                           : "";
  const auto message = fmt::format("copies to the device{} cost {} that no kernel hides{}{}",
                                   pageable ? " from pageable memory" : memory_of(evidence),
                                   evidence.each(us), most_by(copies), stream);
  return saving(evidence, pageable ? "pageable_copies_in" : "exposed_copies_in", us, message);
}

/// As many as this per step are a habit, not a batch, its labels and a learning rate.
constexpr double many_copies = 10;
constexpr std::int64_t small_bytes = 64 << 10;

/// Small copies across the bus and the calls that asked for them; ids sorted.
struct SmallCopies {
  std::int64_t count = 0;
  double call_us = 0;
  double copy_us = 0;
  std::vector<EventId> events;
};

SmallCopies small_copies_of(const Evidence& evidence) {
  SmallCopies copies;
  for (const auto id : evidence.judged_of(Kind::memcpy)) {
    const auto& event = evidence.trace.events[id];
    if (!crosses_bus(event) || event.bytes < 0 || event.bytes >= small_bytes) continue;
    ++copies.count;
    copies.events.push_back(id);
    copies.copy_us += us_of(event.dur);
    const auto call = evidence.trace.nesting.launch[id];
    if (call != no_event) copies.events.push_back(call);
    if (call != no_event) copies.call_us += us_of(evidence.trace.events[call].dur);
  }
  std::ranges::sort(copies.events);
  return copies;
}

std::optional<Finding> small_copies(const Evidence& evidence) {
  const auto copies = small_copies_of(evidence);
  const double per_step = evidence.per_step(static_cast<double>(copies.count));
  if (per_step < many_copies) return std::nullopt;
  const auto theirs = [&](EventId id) { return std::ranges::binary_search(copies.events, id); };
  double us = 0;
  for (const auto use : {Use::copy_in, Use::copy_out, Use::copy_model, Use::wait_sync, Use::wait_launch})
    us += total_us(blame(evidence, use, theirs));
  // What the host does between them is not theirs.
  us = std::min(us, copies.copy_us + copies.call_us);
  return saving(
      evidence, "small_copies", us,
      fmt::format("{} copies below 64 KiB{} between host and device; their calls take {}",
                  rounded_text(per_step), evidence.stepped ? " a step" : "", evidence.each(copies.call_us)));
}

/// True if most of the time of aten::copy_ on the device goes to copies across the bus.
bool are_across_bus(const Evidence& evidence, double device_us) {
  double us = 0;
  for (const auto& event : evidence.trace.events)
    if (crosses_bus(event)) us += us_of(event.dur);
  return 2 * us >= device_us;
}

/// A tenth: STGym's naive form had 39 % of Self CPU and 61.5 % of Self CUDA in it, a tuned one has little.
constexpr double copy_share = 0.10;

std::optional<Finding> copy_ops(const Evidence& evidence) {
  const auto row = std::ranges::find(evidence.ops.rows, "aten::copy_", &OpRow::name);
  if (row == evidence.ops.rows.end()) return std::nullopt;
  const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0; };
  const double host = share(row->self_cpu_us, evidence.ops.self_cpu_us);
  const double device = share(row->self_device_us, evidence.ops.self_device_us);
  if (std::max(host, device) < copy_share) return std::nullopt;
  // Where graphs are replayed, few operators are left, and a batch's copy is much of nearly nothing.
  if (std::max(row->self_cpu_us, row->self_device_us) < worth_reporting * evidence.window_us())
    return std::nullopt;
  const auto severity = std::max(host, device) >= 0.3 ? Severity::high : Severity::medium;
  auto finding =
      remark("copy_ops", severity,
             fmt::format("aten::copy_ takes {} of Self CPU and {} of Self CUDA in {} calls: look for tensors "
                         "that change device, type or layout needlessly",
                         share_text(host), share_text(device), count_text(row->calls)));
  if (are_across_bus(evidence, row->self_device_us)) return finding;
  return led_by(std::move(finding), {"transfer/ping_pong"});
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

}  // namespace

Found input_findings(const Evidence& evidence, const ThreadCalls& calls) {
  return {data_loader_wait(evidence), input_preparation(evidence, calls), model_copies(evidence),
          copies_in(evidence, true),  copies_in(evidence, false),         small_copies(evidence),
          copy_ops(evidence),         pinning_in_step(evidence, calls)};
}

}  // namespace harness::trace
