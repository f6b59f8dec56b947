#include "harness/trace/process_groups.hpp"

#include "harness/trace/kernels.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/trace_text.hpp"

#include <set>

namespace harness::trace {
namespace {

/// The group that an event's arguments name; "" where they name none.
std::string members_of(const Trace& trace, const Event& event) {
  auto ranks = text_argument(trace, event, "Process Group Ranks");
  std::erase(ranks, ' ');
  return ranks.empty() || ranks == "[]" ? text_argument(trace, event, "Process Group Name") : ranks;
}

bool is_message(std::string_view collective) {
  return collective == "send" || collective == "recv" || collective == "isend" || collective == "irecv";
}

}  // namespace

std::vector<GroupTime> device_groups(const Trace& trace, const Nesting& nesting,
                                     const std::vector<bool>& judged, const KernelSummary& kernels) {
  if (kernels.share(KernelKind::communication) <= 0) return {};
  std::vector<bool> communicates(trace.names.size());
  for (const auto& row : kernels.rows) communicates[row.name_id] = row.kind == KernelKind::communication;
  std::map<std::string, double> groups;
  for (EventId id = 0; id < trace.events.size(); ++id) {
    const auto& event = trace.events[id];
    if (event.kind != Kind::kernel || !judged[id] || !communicates[event.name]) continue;
    // Older traces name the group only at the call.
    auto members = members_of(trace, event);
    auto collective = text_argument(trace, event, "Collective name");
    for (auto op = nesting.asker[id]; op != no_event && members.empty(); op = nesting.parent[op]) {
      members = members_of(trace, trace.events[op]);
      collective = text_argument(trace, trace.events[op], "Collective name");
    }
    if (!is_message(collective)) groups[members] += us_of(event.dur);
  }
  std::vector<GroupTime> times;
  for (const auto& [members, us] : groups) times.push_back({members, us});
  return times;
}

std::vector<GroupTime> thread_groups(const Trace& trace, const std::vector<bool>& judged, double us) {
  if (us <= 0) return {};
  std::set<std::string> named;
  for (EventId id = 0; id < trace.events.size(); ++id)
    if (const auto& event = trace.events[id]; event.kind == Kind::cpu_op && event.args != 0 && judged[id])
      if (auto members = members_of(trace, event); !members.empty()) named.insert(std::move(members));
  if (named.size() > 1) return {};
  return {{.members = named.empty() ? "" : *named.begin(), .us = us}};
}

bool is_member(const std::string& members, std::int64_t rank) {
  for (auto at = members.find_first_of("0123456789"); at < members.size() && members.front() == '[';) {
    const auto end = std::min(members.find_first_not_of("0123456789", at), members.size());
    if (integer(members.substr(at, end - at)) == rank) return true;
    at = members.find_first_of("0123456789", end);
  }
  return false;
}

}  // namespace harness::trace
