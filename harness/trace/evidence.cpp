#include "harness/trace/evidence.hpp"

#include "harness/support/quantity.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/trace_text.hpp"

#include <unordered_map>

namespace harness::trace {
namespace {

/// The operator or range that the cause belongs to; the event itself where nothing is around it.
EventId speaker(const Evidence& evidence, EventId cause) {
  const auto& event = evidence.trace.events[cause];
  if (is_range(event.kind)) return cause;
  const bool host = is_call(event.kind);
  const auto around = host ? evidence.trace.nesting.parent[cause] : evidence.trace.nesting.asker[cause];
  return around == no_event || is_step(evidence.trace.name(around)) ? cause : around;
}

/// The longest moment of a blame.
struct Longest {
  EventId speaker;
  Span span;
};

/// Where a thread ran no operator, the frame that the time passed in; else the one that called.
std::string site_of(const Evidence& evidence, Use use, const Longest& longest) {
  const bool silent = use == Use::wait_input || use == Use::outside || use == Use::python;
  if (evidence.timeline.of_host && silent) {
    auto frame = frame_within(evidence.trace, evidence.trace.events[longest.speaker].track,
                              longest.span.begin, longest.span.end);
    if (!frame.empty()) return frame;
  }
  return call_site(evidence.trace, longest.speaker);
}

}  // namespace

std::vector<EventId> Evidence::judged_of(Kind kind) const {
  std::vector<EventId> events;
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (trace.events[id].kind == kind && judged[id]) events.push_back(id);
  return events;
}

std::string Evidence::each(double us) const {
  return stepped ? us_text(per_step(us)) + " a step" : us_text(us);
}

std::vector<Blame> blame(const Evidence& evidence, Use use, const std::function<bool(EventId)>& counts) {
  std::unordered_map<NameId, std::size_t> row_of;
  std::vector<Blame> blames;
  std::vector<Longest> longest;
  for (const auto& span : evidence.spans) {
    auto at = std::ranges::lower_bound(evidence.timeline.moments, span.begin, {}, &Moment::end);
    for (; at != evidence.timeline.moments.end() && at->begin < span.end; ++at) {
      if (at->use != use || at->cause == no_event || (counts && !counts(at->cause))) continue;
      const auto ns = std::min(at->end, span.end) - std::max(at->begin, span.begin);
      if (ns <= 0) continue;
      const auto who = speaker(evidence, at->cause);
      const auto& event = evidence.trace.events[who];
      const auto [entry, fresh] = row_of.try_emplace(event.name, blames.size());
      if (fresh) {
        blames.push_back({.name = std::string(evidence.trace.name(event))});
        longest.push_back({who, {}});
      }
      auto& row = blames[entry->second];
      ++row.count;
      row.us += static_cast<double>(ns) / 1e3;
      auto& moment = longest[entry->second];
      if (at->length() > moment.span.length()) moment = {who, *at};
    }
  }
  if (!blames.empty()) {
    const auto top = std::ranges::max_element(blames, {}, &Blame::us);
    top->where = site_of(evidence, use, longest[static_cast<std::size_t>(top - blames.begin())]);
  }
  std::ranges::stable_sort(blames, std::ranges::greater{}, &Blame::us);
  return blames;
}

EventId longer(const Trace& trace, EventId known, EventId id) {
  return known == no_event || trace.events[id].dur > trace.events[known].dur ? id : known;
}

std::string at_site(const Evidence& evidence, EventId event) {
  if (event == no_event) return {};
  const auto site = call_site(evidence.trace, event);
  return site.empty() ? "" : " at " + site;
}

std::string_view option(const Evidence& evidence, std::string_view of_watch, std::string_view of_torch) {
  return evidence.trace.program.known ? of_watch : of_torch;
}

double total_us(const std::vector<Blame>& blames) {
  double sum = 0;
  for (const auto& row : blames) sum += row.us;
  return sum;
}

double work_us(const Evidence& evidence, const std::vector<EventId>& operators) {
  const auto& events = evidence.trace.events;
  std::int64_t ns = 0;
  if (evidence.timeline.of_host) {
    for (const auto id : operators) ns += events[id].dur;
    return us_of(ns);
  }
  if (operators.empty()) return 0;
  std::vector<bool> chosen(events.size());
  for (const auto id : operators) chosen[id] = true;
  for (EventId id = 0; id < events.size(); ++id) {
    if (!on_device(events[id].kind) || !evidence.judged[id]) continue;
    const auto asker = evidence.trace.nesting.asker[id];
    if (lies_in(evidence.trace, asker, [&](EventId op) { return chosen[op]; })) ns += events[id].dur;
  }
  return us_of(ns);
}

std::string most_by(const std::vector<Blame>& blames) {
  if (blames.empty() || blames.front().name.empty()) return "";
  const auto& top = blames.front();
  const auto name = top.name.size() > 60 ? short_kernel_name(top.name) : top.name;
  return " (most by " + name + (top.where.empty() ? "" : " at " + top.where) + ")";
}

}  // namespace harness::trace
