#include "harness/worker/train.hpp"

#include "harness/machine/heap.hpp"
#include "harness/worker/bench.hpp"
#include "harness/worker/parent_pipe.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <iterator>
#include <string>

namespace harness::worker {
namespace {

using run::NotTrained;

run::TrainingEvent train_once(const Trainable& workload, Bench& bench, const run::TrainingOrder& order) {
  const auto tell = [](const run::PartTrained& part) { tell_parent(run::training_event_to_json(part)); };
  try {
    return workload.train(bench.setup, order, tell);
  } catch (const BadInput& error) {
    return NotTrained{NotTrained::Why::bad_input, error.what()};
  } catch (const Skip& skip) {
    return NotTrained{NotTrained::Why::impossible, skip.what()};
  } catch (const std::exception& error) {
    auto fault = bench.around->fault_of(error, order.device);
    return NotTrained{NotTrained::Why::failed, std::move(fault.sentence)};
  }
}

void carry_out(const run::TrainingOrder& order, std::span<const Trainable> workloads, const Ground& ground) {
  const auto found = std::ranges::find(workloads, order.workload, &Trainable::workload);
  if (found == workloads.end()) throw BadInput("unknown workload '" + order.workload + "'");
  Bench bench({.data_seed = order.data_seed,
               .device = order.device,
               .threads = order.threads,
               .options = order.options,
               .loader = order.loader},
              ground);
  bench.setup.device = order.device;
  bench.setup.stream = bench.around->stream_for(order.device);
  tell_parent(run::training_event_to_json(train_once(*found, bench, order)));
}

}  // namespace

int train_mode(std::span<const Trainable> workloads, const Ground& ground) {
  if (!keep_events_to_ourselves()) return 1;
  try {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const auto order = run::order_from_json(text);
    die_with_parent(order.parent);
    keep_freed_memory();
    carry_out(order, workloads, ground);
    leave();
  } catch (const BadInput& error) {
    tell_parent(run::training_event_to_json(NotTrained{NotTrained::Why::bad_input, error.what()}));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tuneproof-worker: %s\n", error.what());
  }
  return 1;
}

}  // namespace harness::worker
