#include "harness/trace/timeline.hpp"

#include "harness/trace/device_time.hpp"
#include "harness/trace/idle_cause.hpp"
#include "harness/trace/kernels.hpp"
#include "harness/trace/model_copies.hpp"
#include "harness/trace/trace_text.hpp"

namespace harness::trace {
namespace {

Use use_of_kernel(std::string_view name) {
  const auto kind = kernel_kind(name);
  if (kind == KernelKind::communication) return Use::communication;
  if (kind == KernelKind::other) return Use::unknown_work;
  return is_product(kind) && !has_few_rows(name) ? Use::arithmetic : Use::memory;
}

/// Decides what a piece of work counts as.
class Classifier {
 public:
  Classifier(const Trace& trace, const ModelCopies& model_copies, const Efforts& efforts,
             const DeviceModel* model)
      : trace_(trace),
        model_copies_(model_copies),
        efforts_(efforts),
        model_(model),
        by_name_(trace, use_of_kernel) {}

  Use operator()(EventId id) {
    const auto& event = trace_.events[id];
    if (event.kind == Kind::accelerator) return Use::unknown_work;
    if (event.kind == Kind::memset) return Use::memory;
    if (event.kind == Kind::memcpy) {
      if (event.direction == Direction::host_to_device)
        return model_copies_.contain(id) ? Use::copy_model : Use::copy_in;
      if (event.direction == Direction::device_to_host) return Use::copy_out;
      return event.direction == Direction::peer ? Use::communication : Use::memory;
    }
    const auto use = by_name_(event);
    return use == Use::communication ? use : refined(id, use);
  }

 private:
  /// A product of thin matrices moves more than it computes, whatever its kernel is called.
  Use refined(EventId id, Use named) const {
    if (efforts_.of_event.empty() || efforts_.of_event[id] < 0) return named;
    const auto& call = efforts_.calls[static_cast<std::size_t>(efforts_.of_event[id])];
    const double roof = model_ == nullptr ? 0 : balance(*model_, call.arithmetic);
    if (roof > 0) return call.need.intensity() >= roof ? Use::arithmetic : Use::memory;
    const bool thin = call.arithmetic != Arithmetic::fp64 && call.need.intensity() < least_balance;
    return thin ? Use::memory : named;
  }

  const Trace& trace_;
  const ModelCopies& model_copies_;
  const Efforts& efforts_;
  const DeviceModel* model_;
  ByName<decltype(&use_of_kernel)> by_name_;
};

/// What runs at the moment, and for how long still, per use: the event that ends last.
class Running {
 public:
  explicit Running(const Trace& trace) : trace_(trace) { longest_.fill(no_event); }

  void start(Use use, EventId id) {
    auto& held = longest_[static_cast<std::size_t>(use)];
    if (held == no_event || trace_.events[id].end() > trace_.events[held].end()) held = id;
  }

  /// Appends the moments from `from` until `until`; returns the time from which on nothing runs.
  std::int64_t spend(std::int64_t from, std::int64_t until, std::vector<Moment>& moments) const {
    while (from < until) {
      // The first use in order that still runs; what ranks below it waits for its end.
      const auto running = std::ranges::find_if(
          longest_, [&](EventId id) { return id != no_event && trace_.events[id].end() > from; });
      if (running == longest_.end()) break;
      const auto end = std::min(trace_.events[*running].end(), until);
      moments.push_back({{from, end}, static_cast<Use>(running - longest_.begin()), *running});
      from = end;
    }
    return from;
  }

 private:
  const Trace& trace_;
  std::array<EventId, use_count> longest_{};
};

}  // namespace

std::int64_t working_device(const Trace& trace) {
  std::map<std::int64_t, std::int64_t> busy;
  for (const auto& event : trace.events)
    if (on_device(event.kind)) busy[event.device] += std::max<std::int64_t>(event.dur, 1);
  if (busy.empty()) return absent;
  return std::ranges::max_element(busy, {}, [](const auto& entry) { return entry.second; })->first;
}

Timeline timeline(const Trace& trace, const Efforts& efforts, const DeviceModel* model) {
  Timeline line;
  line.device = working_device(trace);
  const auto work = std::move(device_work(trace)[line.device].work);
  if (work.empty()) return line;
  line.launches = launch_calls(trace);
  line.maker = maker_of(trace);
  const ModelCopies model_copies(trace);
  Classifier use_of(trace, model_copies, efforts, model);
  const IdleCauses causes(trace, model_copies);
  Running running(trace);
  // From the first to the last thing that the host is known to have done.
  const auto host =
      span_of(trace, [](const Event& event) { return is_range(event.kind) || is_call(event.kind); });
  auto now = std::min(host.begin, trace.events[work.front()].ts);
  for (const auto id : work) {
    const auto start = trace.events[id].ts;
    now = running.spend(now, start, line.moments);
    if (now < start) causes.explain({now, start}, id, line.moments);
    now = std::max(now, start);
    running.start(use_of(id), id);
  }
  std::int64_t end = now;
  for (const auto id : work) end = std::max(end, trace.events[id].end());
  now = running.spend(now, end, line.moments);
  if (now < host.end) causes.explain({now, host.end}, no_event, line.moments);
  return line;
}

void forget_causes(Timeline& timeline) {
  constexpr std::array<Use, 7> waiting{Use::wait_input, Use::wait_sync,     Use::wait_launch, Use::between,
                                       Use::start_up,   Use::host_operator, Use::outside};
  for (auto& moment : timeline.moments)
    if (std::ranges::find(waiting, moment.use) != waiting.end()) moment = {moment, Use::wait_other, no_event};
  timeline.causes_known = false;
}

Shares& Shares::operator+=(const Shares& other) {
  window_us += other.window_us;
  of_host = of_host || other.of_host;
  launches += other.launches;
  if (doubt.empty()) doubt = other.doubt;
  causes_known = causes_known && other.causes_known;
  if (maker == Maker::unknown) maker = other.maker;
  for (std::size_t i = 0; i < use_count; ++i) us[i] += other.us[i];
  return *this;
}

Shares shares(const Timeline& timeline, std::span<const Span> spans, std::span<const Span> asked) {
  Shares sum{.of_host = timeline.of_host,
             .doubt = timeline.doubt,
             .causes_known = timeline.causes_known,
             .maker = timeline.maker};
  const auto add = [&sum](Use use, std::int64_t ns) {
    sum.us[static_cast<std::size_t>(use)] += static_cast<double>(std::max<std::int64_t>(ns, 0)) / 1e3;
  };
  for (const auto& span : asked.empty() ? spans : asked)
    sum.launches += count_within(timeline.launches, span.begin, span.end);
  const auto& moments = timeline.moments;
  for (const auto& span : spans) {
    sum.window_us += static_cast<double>(span.length()) / 1e3;
    auto at = std::ranges::lower_bound(moments, span.begin, {}, &Moment::end);
    for (; at != moments.end() && at->begin < span.end; ++at)
      add(at->use, std::min(at->end, span.end) - std::max(at->begin, span.begin));
  }
  return sum;
}

std::string_view to_string(Use use) {
  constexpr auto names = std::to_array<std::string_view>(
      {"arithmetic", "memory", "work of unknown kind", "communication", "copies to the device",
       "copies to the host", "copies in the model", "waiting for input", "after a synchronization",
       "waiting for a launch", "between kernels", "other waiting", "first use of kernels",
       "operators on the host", "transforms of the input", "small operators", "Python between operators",
       "outside of PyTorch"});
  return names[static_cast<std::size_t>(use)];
}

}  // namespace harness::trace
