#include "harness/trace/idle_cause.hpp"

#include "harness/trace/host_figures.hpp"
#include "harness/trace/host_use.hpp"
#include "harness/trace/trace_text.hpp"

#include <iterator>
#include <unordered_map>
#include <utility>

namespace harness::trace {
namespace {

constexpr std::int64_t ns_per_us = 1000;
// HTA's threshold: a gap of a launched piece below it is the device's own.
constexpr std::int64_t between_ns = 30 * ns_per_us;
// The clocks of host and device agree to about this; a wait may seem to end just before the work it waited
// for.
constexpr std::int64_t clock_slack_ns = 5 * ns_per_us;
// A launch returns after about 5 us. One that takes so much longer while the device idles does something
// else.
constexpr std::int64_t loading_ns = 100 * ns_per_us;

// So long a call for the device's memory, or for a stream, initializes a library or the device's context.
constexpr std::int64_t initializing_ns = 50'000 * ns_per_us;

/// Calls that load a kernel's code where that was not done before: launches, and what asks for a kernel.
bool may_load_code(std::string_view call) {
  return is_kernel_launch(call) ||
         has_any(call, {"ModuleLoad", "LibraryLoad", "ModuleGetFunction", "LibraryGet", "KernelGetFunction",
                        "FuncLoad", "FuncGetAttributes", "FuncSetAttribute", "OccupancyMaxActiveBlocks"});
}

/// When the first kernel of each launch began that took as long as loading code does.
std::unordered_map<EventId, std::int64_t> begins_of_long_launches(const Trace& trace) {
  std::unordered_map<EventId, std::int64_t> begins;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto call = on_device(trace.events[id].kind) ? trace.nesting.launch[id] : no_event;
    if (call == no_event || trace.events[call].dur < loading_ns) continue;
    const auto [known, fresh] = begins.try_emplace(call, trace.events[id].ts);
    known->second = std::min(known->second, trace.events[id].ts);
  }
  return begins;
}

}  // namespace

bool initializes(const Event& call, std::string_view name) {
  // Pinning much host memory takes as long each time.
  return call.dur >= initializing_ns && !has_any(name, {"Host"}) &&
         has_any(name, {"cudaFree", "hipFree", "cudaMalloc", "hipMalloc", "StreamCreate"});
}

bool shows_host(const Trace& trace) {
  return std::ranges::any_of(trace.events, [](const Event& event) {
    return is_range(event.kind) || event.kind == Kind::python_function;
  });
}

IdleCauses::IdleCauses(const Trace& trace, const ModelCopies& model_copies)
    : trace_(trace),
      model_copies_(model_copies),
      host_(shows_host(trace)),
      operators_(trace),
      other_work_(trace) {
  if (host_) pauses_ = host_pauses(trace);
  add_data_waits();
  add_calls();
  join_waits();
  holding_ = disjoint(std::move(holding_));
  synchronizations_ = disjoint(std::move(synchronizations_));
}

std::vector<Moment> IdleCauses::disjoint(std::vector<Moment> ranges) {
  std::ranges::stable_sort(ranges, {}, &Moment::begin);
  std::vector<Moment> kept;
  for (const auto& held : ranges) {
    if (kept.empty() || held.begin >= kept.back().end)
      kept.push_back(held);
    else if (held.end > kept.back().end)
      kept.back().end = held.end;
  }
  return kept;
}

void IdleCauses::add_data_waits() {
  ByName loads(trace_, is_data_wait);
  for (EventId id = 0; id < trace_.events.size(); ++id) {
    const auto& event = trace_.events[id];
    if (!is_range(event.kind)) continue;
    if (loads(event)) holding_.push_back({event.span(), Use::wait_input, id});
  }
}

void IdleCauses::add_calls() {
  const auto begins = begins_of_long_launches(trace_);
  // What a launch takes behind its kernel's begin it waits, as with CUDA_LAUNCH_BLOCKING.
  const auto add_first_use = [&](EventId id, std::string_view name) {
    const auto& call = trace_.events[id];
    const auto begun = begins.find(id);
    const auto end = begun == begins.end() ? call.end() : std::clamp(begun->second, call.ts, call.end());
    if ((end - call.ts >= loading_ns && may_load_code(name)) || initializes(call, name))
      holding_.push_back({{call.ts, end}, Use::start_up, id});
  };
  for (EventId id = 0; id < trace_.events.size(); ++id) {
    const auto& event = trace_.events[id];
    if (is_call(event.kind)) {
      const auto name = trace_.name(event);
      if (is_synchronizing(name)) synchronizations_.push_back({event.span(), Use::wait_sync, id});
      add_first_use(id, name);
    }
    // A copy whose call returns only after the copy ended has waited for it.
    const auto call = event.kind == Kind::memcpy ? trace_.nesting.launch[id] : no_event;
    if (call == no_event || trace_.events[call].end() + clock_slack_ns < event.end()) continue;
    const Moment waited{trace_.events[call].span(), Use::wait_sync, call};
    if (event.direction == Direction::device_to_host) synchronizations_.push_back(waited);
    if (event.direction == Direction::host_to_device) copying_in_.push_back(waited);
  }
}

void IdleCauses::join_waits() {
  std::vector<Span> waits;
  for (const auto* list : {&synchronizations_, &copying_in_})
    for (const auto& held : *list) waits.push_back({held.begin, held.end + between_ns});
  waits_ = merged(std::move(waits));
}

std::int64_t IdleCauses::waited(const Event& sync) const {
  return sync.end() - std::prev(std::ranges::upper_bound(waits_, sync.ts, {}, &Span::begin))->begin;
}

EventId IdleCauses::drained_by(std::int64_t time) const {
  const auto next = std::ranges::upper_bound(synchronizations_, time, {}, &Moment::begin);
  if (next == synchronizations_.begin()) return no_event;
  const auto& held = *std::prev(next);
  return held.end + clock_slack_ns >= time ? held.cause : no_event;
}

bool IdleCauses::copies_in(EventId work) const {
  if (work == no_event) return false;
  const auto& event = trace_.events[work];
  return event.kind == Kind::memcpy && event.direction == Direction::host_to_device &&
         event.bytes >= batch_bytes;
}

void IdleCauses::explain(Span gap, EventId after, std::vector<Moment>& moments) const {
  const auto call = after == no_event ? no_event : trace_.nesting.launch[after];
  if (call == no_event) return explain_host(gap, after, moments);
  const auto& asked = trace_.events[call];
  const auto returned = std::clamp(asked.end(), gap.begin, gap.end);
  // A piece begins some microseconds after its launch: that is still the launch's.
  const auto begun = gap.end - returned < between_ns ? gap.end : returned;
  const auto add = [&](std::int64_t begin, std::int64_t end, Use use) {
    if (begin < end) moments.push_back({{begin, end}, use, after});
  };
  if (copies_in(after) && returned > gap.begin) {
    const auto called = std::clamp(asked.ts, gap.begin, begun);
    explain_host({gap.begin, called}, after, moments);
    // While the call runs, the host feeds the copy.
    add(called, begun, model_copies_.contain(after) ? Use::copy_model : Use::copy_in);
  } else if (asked.ts >= gap.begin) {
    explain_host({gap.begin, begun}, after, moments);
  } else if (returned > gap.begin && loads_code(call, trace_.events[after].ts)) {
    moments.push_back({{gap.begin, begun}, Use::start_up, call});
  } else {
    return add(gap.begin, gap.end, gap.length() < between_ns ? Use::between : Use::wait_other);
  }
  add(begun, gap.end, Use::wait_other);
}

bool IdleCauses::loads_code(EventId call, std::int64_t kernel_begins) const {
  const auto& asked = trace_.events[call];
  return may_load_code(trace_.name(asked)) && std::min(asked.end(), kernel_begins) - asked.ts >= loading_ns;
}

void IdleCauses::otherwise(Span part, EventId after, EventId sync, std::vector<Moment>& moments) const {
  const auto call = after == no_event ? no_event : trace_.nesting.launch[after];
  if (host_ && copies_in(after) && (!model_copies_.contain(after) || model_copies_.returns(after)))
    return explain_preparation(part, after, moments);
  if (sync != no_event) return moments.push_back({part, Use::wait_sync, sync});
  // Nobody knows when it was launched, nor, of another accelerator, what lies between its kernels.
  if (after != no_event && call == no_event) {
    const bool between = part.length() < between_ns && trace_.events[after].kind != Kind::accelerator;
    return moments.push_back({part, between ? Use::between : Use::wait_other, after});
  }
  if (host_) return explain_launch(part, after, moments);
  // A host that was not recorded may load data as well: only a short time is its launches' own. Behind the
  // last piece no launch is waited for.
  const bool launching = after != no_event && part.length() < outside_ns;
  moments.push_back({part, launching ? Use::wait_launch : Use::wait_other, after});
}

void IdleCauses::explain_preparation(Span part, EventId copy, std::vector<Moment>& moments) const {
  auto now = part.begin;
  const bool returns = model_copies_.returns(copy);
  const auto prepare = [&](std::int64_t end) {
    if (now >= end) return;
    if (returns)
      explain_launch({now, end}, copy, moments);
    else
      moments.push_back({{now, end}, Use::wait_input, copy});
  };
  for (const auto& work : other_work_.before(part)) {
    prepare(work.begin);
    const bool function = trace_.events[work.cause].kind == Kind::python_function;
    moments.push_back({work, function ? Use::outside : Use::host_operator, work.cause});
    now = work.end;
  }
  prepare(part.end);
}

EventId IdleCauses::named_by(Span pause, EventId after) const {
  if (after != no_event) return after;
  const auto functions = other_work_.before(pause);
  return functions.empty() ? no_event : functions.front().cause;
}

void IdleCauses::explain_launch(Span part, EventId after, std::vector<Moment>& moments) const {
  auto now = part.begin;
  const auto launch = [&](std::int64_t end) {
    if (now >= end) return;
    const auto filling = end - now >= outside_ns ? operators_.filling({now, end}) : no_event;
    const auto idle = after == no_event ? Use::wait_other : Use::wait_launch;
    const bool launching = filling == no_event;
    moments.push_back({{now, end}, launching ? idle : Use::host_operator, launching ? after : filling});
  };
  auto pause = std::ranges::upper_bound(pauses_, part.begin, {}, &HostPause::end);
  for (; pause != pauses_.end() && pause->begin < part.end; ++pause) {
    const Span held{std::max(pause->begin, part.begin), std::min(pause->end, part.end)};
    launch(held.begin);
    const bool silent = pause->cause == no_event;
    moments.push_back(
        {held, silent ? Use::outside : Use::host_operator, silent ? named_by(held, after) : pause->cause});
    now = held.end;
  }
  launch(part.end);
}

void IdleCauses::explain_host(Span gap, EventId after, std::vector<Moment>& moments) const {
  const auto sync = drained_by(gap.begin);
  // Without the wait the host would have gone on earlier by its length: the gap beyond that is not its doing.
  const auto lost = gap.begin + (sync == no_event ? 0 : waited(trace_.events[sync]));
  auto now = gap.begin;
  const auto add = [&](std::int64_t end, EventId cause) {
    if (now < end) otherwise({now, end}, after, cause, moments);
    now = std::max(now, end);
  };
  const auto rest_until = [&](std::int64_t end) {
    add(std::min(lost, end), sync);
    add(end, no_event);
  };
  auto held = std::ranges::upper_bound(holding_, gap.begin, {}, &Moment::end);
  for (; held != holding_.end() && held->begin < gap.end; ++held) {
    rest_until(std::max(held->begin, now));
    const auto end = std::min(held->end, gap.end);
    if (now < end) moments.push_back({{now, end}, held->use, held->cause});
    now = std::max(now, end);
  }
  rest_until(gap.end);
}

}  // namespace harness::trace
