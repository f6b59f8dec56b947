#include "harness/trace/collectives.hpp"

#include "harness/trace/kernels.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/thread_calls.hpp"
#include "harness/trace/trace_text.hpp"

#include <cmath>
#include <set>
#include <unordered_map>

namespace harness::trace {
namespace {

bool within_engine(const Evidence& evidence, EventId id) {
  const auto is_engine = [&](EventId each) { return evidence.trace.name(each).starts_with(autograd_engine); };
  return lies_in(evidence.trace, evidence.trace.nesting.parent[id], is_engine);
}

std::int64_t value_bytes(std::string_view type) {
  if (is_any(type, {"double", "Double", "long int", "Long"})) return 8;
  if (is_any(type, {"c10::Half", "Half", "c10::BFloat16", "BFloat16"})) return 2;
  return type == "unsigned char" ? 1 : 4;
}

/// When ranges of that name began, in order.
std::vector<std::int64_t> beginnings(const Evidence& evidence, std::string_view name) {
  std::vector<std::int64_t> times;
  for (const auto id : evidence.trace.nesting.order) {
    const auto& event = evidence.trace.events[id];
    if (event.kind == Kind::user_annotation && evidence.trace.name(event).starts_with(name))
      times.push_back(event.ts);
  }
  std::ranges::sort(times);
  return times;
}

std::ptrdiff_t before(const std::vector<std::int64_t>& times, std::int64_t time) {
  return std::ranges::upper_bound(times, time) - times.begin();
}

/// What a collective was called with: its own record, since 2024 with its number of values, before that with
/// its shape. Nothing where no size was recorded.
std::optional<std::int64_t> recorded_bytes(const Trace& trace, const Event& event) {
  if (const auto values = integer(argument(trace, event, "In msg nelems")); values && *values > 0)
    return *values * value_bytes(text_argument(trace, event, "dtype"));
  auto type = argument(trace, event, "Input type");
  type = type.substr(std::min(type.find('"'), type.size()));
  type = type.empty() ? type : type.substr(1, type.find('"', 1) - 1);
  return bytes_of(argument(trace, event, "Input Dims"), type);
}

}  // namespace

std::optional<std::int64_t> bytes_of(std::string_view dims, std::string_view type) {
  constexpr double most = 1e15;  // no gradient is larger; a product that is says nothing
  double values = 0;
  for (std::size_t at = dims.find(']'); at != dims.npos; at = dims.find(']', at + 1)) {
    const auto open = dims.substr(0, at).find_last_of("[]");
    if (open == dims.npos || dims[open] == ']') continue;
    double product = 1;
    auto list = dims.substr(open + 1, at - open - 1);
    if (trimmed(list).empty()) continue;
    while (!list.empty()) {
      const auto number = integer(taken(list, ','));
      if (!number || *number < 0) return std::nullopt;
      product *= static_cast<double>(*number);
    }
    values += product;
  }
  if (values <= 0 || values > most) return std::nullopt;
  return static_cast<std::int64_t>(values) * value_bytes(type);
}

std::vector<Exchange> gradient_exchanges(const Evidence& evidence) {
  std::vector<Exchange> exchanges;
  std::unordered_map<EventId, std::size_t> place;
  const auto& trace = evidence.trace;
  for (const auto id : evidence.trace.nesting.order) {
    if (!evidence.judged[id]) continue;
    const auto& event = trace.events[id];
    const auto name = trace.name(event);
    if (name == "c10d::allreduce_" && within_engine(evidence, id)) {
      place.emplace(id, exchanges.size());
      exchanges.push_back({id, recorded_bytes(trace, event)});
    } else if (name == "record_param_comms" || name == "nccl:all_reduce") {
      const auto around =
          innermost(trace, trace.nesting.parent[id], [&](EventId each) { return place.contains(each); });
      if (around == no_event) continue;
      if (const auto bytes = recorded_bytes(trace, event)) exchanges[place.at(around)].bytes = bytes;
    }
  }
  return exchanges;
}

Passes backward_passes(const Evidence& evidence, const std::vector<Exchange>& exchanges) {
  const auto forwards = beginnings(evidence, "DistributedDataParallel.forward");
  const auto updates = beginnings(evidence, "Optimizer.step#");
  if (forwards.empty() || updates.empty()) return {};
  std::set<std::pair<std::ptrdiff_t, std::ptrdiff_t>> passes;
  std::set<std::ptrdiff_t> updated;
  for (const auto& exchange : exchanges) {
    const auto time = evidence.trace.events[exchange.id].ts;
    const auto update = before(updates, time);
    passes.emplace(update, before(forwards, time));
    updated.insert(update);
  }
  return {passes.size(), updated.size()};
}

namespace {

/// The group that an event's arguments name; "" where they name none.
std::string members_of(const Trace& trace, const Event& event) {
  auto ranks = text_argument(trace, event, "Process Group Ranks");
  std::erase(ranks, ' ');
  return ranks.empty() || ranks == "[]" ? text_argument(trace, event, "Process Group Name") : ranks;
}

}  // namespace

std::vector<GroupTime> device_groups(const Trace& trace, const std::vector<bool>& judged,
                                     const KernelSummary& kernels) {
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
    for (auto op = trace.nesting.asker[id]; op != no_event && members.empty();
         op = trace.nesting.parent[op]) {
      members = members_of(trace, trace.events[op]);
      collective = text_argument(trace, trace.events[op], "Collective name");
    }
    const bool message = is_any(collective, {"send", "recv", "isend", "irecv"});
    if (!message) groups[members] += us_of(event.dur);
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
