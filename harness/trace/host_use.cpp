#include "harness/trace/host_use.hpp"

#include "harness/trace/accelerators.hpp"
#include "harness/trace/efforts.hpp"
#include "harness/trace/event_arguments.hpp"
#include "harness/trace/host_figures.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/trace_text.hpp"
#include "harness/trace/window.hpp"

#include <iterator>
#include <unordered_map>
#include <utility>

namespace harness::trace {
namespace {

bool marks_step(const Trace& trace, EventId id) {
  return trace.events[id].kind == Kind::user_annotation && is_step(trace.name(id));
}

/// When other threads communicated, and when they ran operators.
struct OtherThreads {
  Coverage communicating;
  Coverage working;
  std::vector<EventId> collectives;  // by their begin
  std::vector<EventId> operators;    // but for views and frames, by their begin
  std::int64_t longest = 0;          // of those
};

using HostWorks = ByName<decltype(&host_work)>;

OtherThreads other_threads(const Trace& trace, std::uint32_t thread, HostWorks& work_of) {
  std::vector<Span> communicating;
  std::vector<Span> working;
  std::vector<EventId> collectives;
  std::vector<EventId> operators;
  std::int64_t longest = 0;
  for (const auto id : trace.nesting.order) {
    const auto& event = trace.events[id];
    if (event.track == thread) continue;
    if (work_of(event) == HostWork::communication) {
      communicating.push_back(event.span());
      collectives.push_back(id);
    } else if (event.kind == Kind::cpu_op) {
      working.push_back(event.span());
      if (!has_any(trace.name(event), {"::"}) || work_of(event) == HostWork::calling) continue;
      operators.push_back(id);
      longest = std::max(longest, event.dur);
    }
  }
  for (auto* list : {&collectives, &operators})
    std::ranges::stable_sort(*list, {}, [&](EventId id) { return trace.events[id].ts; });
  return {Coverage(merged(std::move(communicating))), Coverage(merged(std::move(working))),
          std::move(collectives), std::move(operators), longest};
}

/// 0.1 GB/s: no memory is so slow (docs/diagnose.md).
constexpr double implausible_bytes_per_ns = 0.1;

/// Walks the thread's ranges and operators with the stack of what is open; each moment belongs to the
/// innermost.
class HostWalk {
 public:
  HostWalk(const Trace& trace, std::uint32_t thread)
      : trace_(trace),
        self_(trace.events.size()),
        work_of_(trace, host_work),
        others_(other_threads(trace, thread, work_of_)) {
    std::int64_t end = 0;
    for (const auto id : trace.nesting.order) {
      const auto& event = trace.events[id];
      if (event.track != thread) continue;
      if (pieces_.empty() && open_.empty() && end == 0) now_ = event.ts;
      end = std::max(end, event.end());
      if (!marks_step(trace, id)) visit(id);
    }
    leave_all_but(nullptr);
    spend(end);
  }

  std::vector<Moment> moments() {
    std::vector<Moment> moments;
    moments.reserve(pieces_.size());
    for (const auto& piece : pieces_) moments.push_back({piece, use_of(piece), piece.owner});
    EventId next = no_event;
    for (auto moment = moments.rbegin(); moment != moments.rend(); ++moment)
      if (is_operator(moment->cause))
        next = moment->cause;
      else if (moment->use == Use::communication)
        moment->cause = last_collective_before(moment->end);
      else if (moment->use == Use::wait_other)
        moment->cause = longest_operator_in(moment->begin, moment->end);
      else if (moment->use != Use::wait_input)
        moment->cause = next;
    return moments;
  }

 private:
  struct Open {
    EventId id;
    bool loading;
  };
  struct Piece : Span {
    EventId owner;  // no_event: outside of all operators and ranges
    bool loading;
  };

  bool is_operator(EventId id) const { return id != no_event && trace_.events[id].kind == Kind::cpu_op; }

  void visit(EventId id) {
    const auto& event = trace_.events[id];
    leave_all_but(&event);
    spend(event.ts);
    const bool loading = !open_.empty() && open_.back().loading;
    open_.push_back({id, loading || is_data_wait(trace_.name(event))});
  }

  /// Closes what does not enclose `inner`; nullptr: all.
  void leave_all_but(const Event* inner) {
    while (!open_.empty()) {
      const auto end = trace_.events[open_.back().id].end();
      if (inner != nullptr && inner->ts < end && inner->end() <= end) return;
      spend(inner != nullptr ? std::min(end, inner->ts) : end);
      open_.pop_back();
    }
  }

  /// The time until then belongs to what is open.
  void spend(std::int64_t until) {
    if (until <= now_) return;
    const auto owner = open_.empty() ? no_event : open_.back().id;
    if (owner != no_event) self_[owner] += until - now_;
    pieces_.push_back({{now_, until}, owner, !open_.empty() && open_.back().loading});
    now_ = until;
  }

  Use use_of(const Piece& piece) {
    if (!is_operator(piece.owner)) return piece.loading ? Use::wait_input : gap_use(piece);
    if (piece.loading) return Use::transform;
    const auto work = work_of_(trace_.events[piece.owner]);
    if (work == HostWork::communication) return Use::communication;
    if (work == HostWork::calling) return stands_still(piece.owner) ? Use::wait_other : Use::small_operators;
    if (self_[piece.owner] < small_operator_ns) return Use::small_operators;
    if (work == HostWork::unknown) return Use::unknown_work;
    if (work == HostWork::product) return is_thin(piece.owner) ? Use::memory : Use::arithmetic;
    return waits_for_threads(piece.owner) ? Use::wait_other : Use::memory;
  }

  /// True of a product of so few rows that it waits for what it reads; asked once per name and shapes.
  bool is_thin(EventId id) {
    const auto& event = trace_.events[id];
    const auto [known, fresh] = thin_.try_emplace(std::uint64_t{event.name} << 32 | event.args, false);
    if (fresh) {
      const auto need = need_of(recorded(trace_, event));
      known->second = need && need->intensity() < thin_on_host;
    }
    return known->second;
  }

  /// True of a view that took far longer than a call does: its thread had no processor.
  bool stands_still(EventId id) const { return self_[id] >= outside_ns && is_view(trace_.name(id)); }

  /// True if the operator took far longer than its bytes need. Its threads then waited for each other.
  bool waits_for_threads(EventId id) const {
    const auto ns = static_cast<double>(self_[id]);
    if (ns < outside_ns) return false;
    const auto need = need_of(recorded(trace_, trace_.events[id]));
    return need && need->bytes < implausible_bytes_per_ns * ns;
  }

  /// The other threads' collective that began last before then: the thread goes on when that one has ended.
  EventId last_collective_before(std::int64_t then) const {
    const auto& all = others_.collectives;
    const auto behind =
        std::ranges::lower_bound(all, then, {}, [&](EventId id) { return trace_.events[id].ts; });
    return behind == all.begin() ? no_event : *std::prev(behind);
  }

  /// Of the other threads, by its time within the gap.
  EventId longest_operator_in(std::int64_t begin, std::int64_t end) const {
    const auto& all = others_.operators;
    const auto within = [&](EventId id) {
      const auto& event = trace_.events[id];
      return std::min(event.end(), end) - std::max(event.ts, begin);
    };
    EventId longest = no_event;
    auto id = std::ranges::lower_bound(all, begin - others_.longest, {},
                                       [&](EventId op) { return trace_.events[op].ts; });
    for (; id != all.end() && trace_.events[*id].ts < end; ++id)
      if (within(*id) > 0 && (longest == no_event || within(*id) >= within(longest))) longest = *id;
    return longest;
  }

  /// A long gap is another thread's where that one works for half of it or more.
  Use gap_use(const Piece& gap) const {
    if (gap.length() < outside_ns) return Use::python;
    if (2 * others_.communicating.within(gap.begin, gap.end) >= gap.length()) return Use::communication;
    return 2 * others_.working.within(gap.begin, gap.end) >= gap.length() ? Use::wait_other : Use::outside;
  }

  const Trace& trace_;
  std::vector<std::int64_t> self_;  // by event: its time without that of what it called
  HostWorks work_of_;
  std::unordered_map<std::uint64_t, bool> thin_;
  OtherThreads others_;
  std::vector<Piece> pieces_;
  std::vector<Open> open_;
  std::int64_t now_ = 0;
};

}  // namespace

std::uint32_t training_thread(const Trace& trace) {
  std::unordered_map<std::uint32_t, std::int64_t> working;
  for (const auto id : trace.nesting.order) {
    const auto& event = trace.events[id];
    if (marks_step(trace, id)) return event.track;
    const bool outer = event.kind == Kind::cpu_op && !within_operator(trace, id);
    if (outer) working[event.track] += event.dur + 1;
  }
  if (working.empty()) return no_event;
  return std::ranges::max_element(working, {},
                                  [](const auto& entry) { return std::pair(entry.second, ~entry.first); })
      ->first;
}

Timeline host_timeline(const Trace& trace) {
  Timeline line;
  if (!named_device(trace).empty()) return line;
  line.of_host = true;
  const auto thread = training_thread(trace);
  if (thread != no_event) line.moments = HostWalk(trace, thread).moments();
  return line;
}

bool shows_work(const Shares& shares, bool stepped) {
  constexpr double moment_us = 500;
  if (!stepped && shares.window_us < moment_us) return false;
  constexpr std::array<Use, 6> uses{Use::arithmetic, Use::memory,    Use::unknown_work,
                                    Use::wait_input, Use::transform, Use::small_operators};
  return std::ranges::any_of(uses, [&](Use use) { return shares[use] > 0; });
}

}  // namespace harness::trace
