// What it costs to start work on the device, to mark it, and to wait for it.
#include "harness/core/slot.hpp"
#include "harness/cuda/event.hpp"
#include "harness/cuda/graph.hpp"
#include "harness/cuda/stream.hpp"

#include "prices/price_kernels.hpp"
#include "prices/price_row.hpp"
#include "prices/priced_machine.hpp"
#include "prices/queued.hpp"

#include <fmt/format.h>

namespace prices {
namespace {

using namespace harness;

constexpr int few = 64;     // fit into the queue: the host waits for none
constexpr int many = 4096;  // fill it: the host goes at the device's pace, or the device at the host's

void launch(const Stream& stream) { check(queue_empty(stream.get())); }

void launch_times(int times, const Stream& stream) {
  for (int i = 0; i < times; ++i) launch(stream);
}

/// The first launch loads the kernel.
void load(const Stream& stream) {
  launch(stream);
  stream.synchronize();
}

/// Until the call is back at the host.
void return_row(benchmark::State& state, const Stream& stream) {
  load(stream);
  sample_calls(state, few, [&] {
    const double seconds = host_seconds([&] { launch_times(few, stream); });
    stream.synchronize();
    return seconds;
  });
}

/// One after the other without a pause, the last one waited for: the pace of host and device together.
void back_to_back_row(benchmark::State& state, const Stream& stream) {
  load(stream);
  sample_calls(state, many, [&] {
    return host_seconds([&] {
      launch_times(many, stream);
      stream.synchronize();
    });
  });
}

/// The pace of the device alone.
void queued_row(benchmark::State& state, const Stream& stream) {
  load(stream);
  sample_queued(state, few, stream, [&] { launch(stream); });
}

void until_synchronized_row(benchmark::State& state, const Stream& stream) {
  load(stream);
  for (auto _ : state) {
    launch(stream);
    stream.synchronize();
  }
}

/// A chain of empty kernels, launched as one and waited for.
void graph_row(benchmark::State& state, const Stream& stream, int nodes) {
  load(stream);
  const GraphExec graph(Graph(stream, [&] { launch_times(nodes, stream); }));
  graph.launch(stream);
  stream.synchronize();
  for (auto _ : state) {
    graph.launch(stream);
    stream.synchronize();
  }
  state.SetItemsProcessed(state.iterations() * nodes);
}

template <class SomeEvent>
void record_row(benchmark::State& state, const Stream& stream) {
  const SomeEvent event;
  sample_calls(state, few, [&] {
    const double seconds = host_seconds([&] {
      for (int i = 0; i < few; ++i) event.record(stream);
    });
    stream.synchronize();
    return seconds;
  });
}

/// Of an event that has long happened.
void query_row(benchmark::State& state, const Stream& stream) {
  const Event event;
  event.record(stream);
  event.synchronize();
  for (auto _ : state) check(cudaEventQuery(event.get()));
}

void event_synchronize_row(benchmark::State& state, const Stream& stream) {
  const Event event;
  event.record(stream);
  event.synchronize();
  for (auto _ : state) event.synchronize();
}

/// Until the host knows that an event has happened which it has just recorded.
void event_round_row(benchmark::State& state, const Stream& stream) {
  const Event event;
  for (auto _ : state) {
    event.record(stream);
    event.synchronize();
  }
}

void stream_synchronize_row(benchmark::State& state, const Stream& stream) {
  stream.synchronize();
  for (auto _ : state) stream.synchronize();
}

}  // namespace

void add_launches(const Machine& machine) {
  if (!machine.has_cuda()) return;
  const auto row = [stream = machine.stream](const char* name, Clock clock, auto body) {
    add(fmt::format("prices/{}", name), clock, [=](benchmark::State& state) { body(state, *stream); });
  };
  row("launch/return", Clock::own, return_row);
  row("launch/back_to_back", Clock::own, back_to_back_row);
  row("launch/queued", Clock::own, queued_row);
  row("launch/until_synchronized", Clock::host, until_synchronized_row);
  for (const int nodes : {1, 16, 256, 1024})
    add(fmt::format("prices/graph/nodes:{}", nodes), Clock::host,
        [=, stream = machine.stream](benchmark::State& state) { graph_row(state, *stream, nodes); });
  row("event/record", Clock::own, record_row<Event>);
  row("event/record_timed", Clock::own, record_row<TimedEvent>);
  row("event/query", Clock::host, query_row);
  row("event/synchronize", Clock::host, event_synchronize_row);
  row("event/record_and_synchronize", Clock::host, event_round_row);
  row("stream/synchronize", Clock::host, stream_synchronize_row);
}

}  // namespace prices
