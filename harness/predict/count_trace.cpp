#include "harness/predict/count_trace.hpp"

#include "harness/predict/critical_path.hpp"
#include "harness/predict/operators.hpp"
#include "harness/support/range_names.hpp"
#include "harness/trace/collectives.hpp"
#include "harness/trace/nesting.hpp"
#include "harness/trace/shapes.hpp"
#include "harness/trace/text.hpp"
#include "harness/trace/trace.hpp"
#include "harness/trace/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace harness::predict {
namespace {

constexpr std::string_view backward = "autograd::engine::evaluate_function: ";

class Counter {
 public:
  Counter(const trace::Trace& trace, int runs, int ranks)
      : trace_(trace),
        nesting_(trace::nest(trace)),
        exposure_(exposure_of(trace, nesting_)),
        each_(1.0 / std::max(runs, 1)),
        link_(fmt::format("{}/ranks:{}", exposure_.device ? "nccl" : "gloo", ranks)),
        moved_(trace.events.size()),
        calls_others_(trace.events.size()) {}

  Counted count() {
    for (const trace::EventId id : nesting_.order) note_caller(id);
    for (const trace::EventId id : nesting_.order) count_host(id);
    for (const auto& event : trace_.events) {
      if (event.kind == trace::Kind::memcpy) count_copy(event);
      if (takes_host_memory(event)) ++allocations_;
    }
    // An operator that allocates and does nothing else has its own price, which holds the allocation.
    if (allocations_ > empties_)
      add({Piece::allocation}, exposure_.main, static_cast<double>(allocations_ - empties_));
    counted_.kernel_seconds = exposure_.kernel_us * 1e-6 * each_;
    return std::move(counted_);
  }

 private:
  void add(const Work& work, double exposed, double times = 1) {
    if (exposed > 0) counted_.exposed[work] += times * each_ * exposed;
    if (exposed < 1) counted_.hidden[work] += times * each_ * (1 - exposed);
  }

  bool takes_host_memory(const trace::Event& event) const {
    return event.kind == trace::Kind::memory && event.bytes > 0 &&
           trace::integer(trace::argument(trace_, event, "Device Type")).value_or(0) == 0;
  }

  trace::EventId parent_of(trace::EventId id) const { return nesting_.parent[id]; }
  std::string_view name_of_parent(trace::EventId id) const {
    const auto parent = parent_of(id);
    return parent == trace::no_event ? std::string_view() : operator_name(trace_, trace_.events[parent]);
  }

  /// An operator whose work other operators do has none of its own.
  void note_caller(trace::EventId id) {
    const auto name = operator_name(trace_, trace_.events[id]);
    if (!name.empty() && !is_view(name) && !is_empty(name) && parent_of(id) != trace::no_event)
      calls_others_[parent_of(id)] = true;
  }

  void count_host(trace::EventId id) {
    const auto& event = trace_.events[id];
    const double exposed = exposure_.of(event.track);
    if (event.kind == trace::Kind::cpu_op && trace_.name(event).starts_with(backward))
      add({Piece::node}, exposed);
    if (event.kind == trace::Kind::user_annotation && trace_.name(event) == compiled_package_range)
      add({Piece::package}, exposed);
    if (trace_.name(event) == "c10d::allreduce_") count_exchange(event);
    if (event.kind == trace::Kind::runtime || event.kind == trace::Kind::driver) count_call(event, exposed);
    const auto name = operator_name(trace_, event);
    if (name.empty()) return;
    const auto outer = name_of_parent(id);
    moved_[id] = parent_of(id) != trace::no_event && moved_[parent_of(id)];
    // The prices of a view and of an item are those of the whole call.
    if ((is_view(name) && is_view(outer)) || outer == "item") return;
    empties_ += is_empty(name) ? 1 : 0;
    if (is_view(name)) return add({Piece::view}, exposed);
    if (name == "item") return add({Piece::item}, exposed);
    add({Piece::call, 0, calls_others_[id] ? "caller" : std::string(sort_of(name))}, exposed);
    if (!exposure_.device && !moved_[id] && !is_empty(name)) count_numbers(id, name, exposed);
  }

  /// The outermost operator that tells its need tells that of all it calls.
  void count_numbers(trace::EventId id, std::string_view name, double exposed) {
    const auto call = trace::recorded(trace_, trace_.events[id]);
    if (const auto need = trace::need_of(call)) {
      moved_[id] = true;
      if (is_product(name))
        add({Piece::product, std::llround(need->flop), number_type(call)}, exposed);
      else
        add_bytes(need->bytes, exposed);
      return;
    }
    if (!calls_others_[id] && !is_gather(name)) add_bytes(bytes_read(call), exposed);
  }

  void add_bytes(double bytes, double exposed) {
    if (bytes > 0) add({Piece::bytes, std::llround(bytes)}, exposed);
  }

  /// Hidden as far as the backward pass, or other operators, go on beside it.
  void count_exchange(const trace::Event& event) {
    if (const auto bytes = trace::recorded_bytes(trace_, event))
      add({Piece::exchange, *bytes, link_}, exposure_.exchanges);
  }

  void count_call(const trace::Event& event, double exposed) {
    const auto name = trace_.name(event);
    if (name.starts_with("cudaLaunchKernel") || name.starts_with("cuLaunchKernel"))
      add({Piece::launch}, exposed);
    // One such call ends every recording, and it is the profiler's own.
    if (trace::is_synchronizing(name) && name != "cudaDeviceSynchronize")
      add({Piece::synchronization}, exposed);
  }

  void count_copy(const trace::Event& event) {
    if (event.bytes < 0) return;
    const bool pinned = event.host_memory == trace::HostMemory::pinned;
    std::optional<Piece> piece;
    if (event.direction == trace::Direction::host_to_device)
      piece = pinned ? Piece::pinned_to_device : Piece::pageable_to_device;
    if (event.direction == trace::Direction::device_to_host)
      piece = pinned ? Piece::device_to_pinned : Piece::device_to_pageable;
    if (event.direction == trace::Direction::device_to_device) piece = Piece::on_device;
    if (piece) add({*piece, event.bytes}, exposure_.copies);
  }

  const trace::Trace& trace_;
  trace::Nesting nesting_;
  Exposure exposure_;
  double each_;
  std::string link_;                // what ranks exchange over, and how many they are
  std::vector<bool> moved_;         // its bytes or FLOP are counted, by itself or by what called it
  std::vector<bool> calls_others_;  // it leaves its work to other operators
  std::int64_t allocations_ = 0;
  std::int64_t empties_ = 0;
  Counted counted_;
};

Counted count_form(const results::FormProfile& form, int ranks) {
  auto counted = count_trace(trace::read_trace(form.traces.front()), form.runs, ranks);
  if (form.page_faults > 0) counted.exposed[{Piece::page_fault}] += form.page_faults;
  if (form.waits > 0) counted.exposed[{Piece::wait}] += form.waits;
  return counted;
}

}  // namespace

Counted count_trace(const trace::Trace& trace, int runs, int ranks) {
  return Counter(trace, runs, ranks).count();
}

Before count_forms(std::span<const results::FormProfile> forms, int ranks) {
  Before before;
  for (const auto& form : forms) {
    (form.form == Form::naive ? before.below : before.above) = count_form(form, ranks);
    if (form.form == Form::naive) before.below_seconds = form.seconds_off();
  }
  return before;
}

}  // namespace harness::predict
