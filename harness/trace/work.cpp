#include "harness/trace/work.hpp"

#include <algorithm>

namespace harness::trace {
namespace {

void widen(DeviceWork& device, const Event& event) {
  device.begin = device.seen ? std::min(device.begin, event.ts) : event.ts;
  device.end = device.seen ? std::max(device.end, event.end()) : event.end();
  device.seen = true;
}

}  // namespace

std::map<std::int64_t, DeviceWork> device_work(const Trace& trace, const std::vector<bool>& inside) {
  std::map<std::int64_t, DeviceWork> devices;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const Event& event = trace.events[id];
    if (!on_device(event.kind) || (!inside.empty() && !inside[id])) continue;
    DeviceWork& device = devices[event.device];
    widen(device, event);
    device.work.push_back(id);
  }
  for (auto& [number, device] : devices)
    std::stable_sort(device.work.begin(), device.work.end(),
                     [&](EventId a, EventId b) { return trace.events[a].ts < trace.events[b].ts; });
  return devices;
}

std::vector<Gap> device_gaps(const Trace& trace, const std::vector<EventId>& work) {
  std::vector<Gap> gaps;
  EventId last = no_event;
  for (const EventId id : work) {
    const Event& event = trace.events[id];
    if (last != no_event && event.ts > trace.events[last].end())
      gaps.push_back({trace.events[last].end(), event.ts, event.stream, last, id});
    if (last == no_event || event.end() > trace.events[last].end()) last = id;
  }
  return gaps;
}

}  // namespace harness::trace
