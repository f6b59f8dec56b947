#include "workloads/stgym/measure/figures.hpp"

#include "harness/libtorch/answer.hpp"
#include "harness/libtorch/kineto.hpp"

#include <chrono>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace workloads::stgym {
namespace {

using harness::Counts;
using harness::Figure;

/// One form's numbers, in the order in which they are reported.
struct Side {
  Counts counts;
  HostIndices made;  // during the profiled unit
};

Side profiled(Trainer& trainer, const Arms& arms) {
  if (trainer.finished()) trainer.restart();
  if (arms.unit == TimedUnit::step) trainer.rewind(trainer.typical_batch());
  trainer.rehearse();  // captures are not the form's work
  const auto before = trainer.host_indices();
  Side side;
  side.counts = count(arms.device, [&] { run_unit(trainer, arms.unit); });
  const auto after = trainer.host_indices();
  side.made = {after.bytes - before.bytes, after.small_bytes - before.small_bytes,
               after.scalar_bytes - before.scalar_bytes};
  return side;
}

double sum(const std::vector<std::int64_t>& bytes) {
  return static_cast<double>(std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0}));
}

/// What moved between host and device. Nothing does on the host, so there it is what LibTorch was asked for.
void add_counts(std::vector<Figure>& all, const Side& a, const Side& b, const Arms& arms) {
  const auto per = " per " + std::string(unit_labels[static_cast<std::size_t>(arms.unit)]);
  const auto add = [&](const std::string& name, const char* unit, auto of) {
    all.push_back({name + per, unit, static_cast<double>(of(a)), static_cast<double>(of(b))});
  };
  if (arms.device.is_cuda()) {
    add("HtoD bytes", "B", [](const Side& s) { return sum(s.counts.host_to_device); });
    add("HtoD copies", "calls", [](const Side& s) { return s.counts.host_to_device.size(); });
    add("DtoH bytes", "B", [](const Side& s) { return sum(s.counts.device_to_host); });
    add("DtoH copies", "calls", [](const Side& s) { return s.counts.device_to_host.size(); });
    add("synchronizations", "calls", [](const Side& s) { return s.counts.synchronizations; });
  }
  add("index bytes made on the host", "B", [](const Side& s) { return s.made.bytes + s.made.small_bytes; });
  add("ATen operators", "calls", [](const Side& s) { return s.counts.operators; });
  add("aten::copy_", "calls", [](const Side& s) { return s.counts.copies; });
  add("bytes written by aten::copy_", "B", [](const Side& s) { return s.counts.copied_bytes; });
}

/// A whole run from the first parameters to the test pass, which is how a training ends.
struct Run {
  Scores scores;
  double seconds = 0;
};

Run trained(Trainer& trainer, const std::shared_ptr<training::TrainingLog>& log) {
  const auto begin = std::chrono::steady_clock::now();
  trainer.restart();
  trainer.log_to(log);
  while (!trainer.finished()) trainer.epoch();
  trainer.log_to(nullptr);
  auto scores = trainer.test();
  if (log) log->close();
  return {std::move(scores), std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
}

/// The metrics of the task, for each form; those that the labels do not define are left out.
void add_metrics(std::vector<Figure>& all, const std::string& part, const Scores& a, const Scores& b) {
  for (std::size_t i = 0; i < a.metrics.size(); ++i) {
    const auto& metric = a.metrics[i];
    if (std::isfinite(metric.value) && std::isfinite(b.metrics[i].value))
      all.push_back({part + " " + std::string(metric.name), std::string(metric.unit), metric.value,
                     b.metrics[i].value});
  }
}

void add_whole_run(std::vector<Figure>& all, Arms& arms) {
  const auto device = harness::torch_device(arms.device);
  const auto [a, naive_seconds] = trained(arms.naive, begin_log(arms.log, arms.names[0], device));
  const auto [b, optimized_seconds] = trained(arms.optimized, begin_log(arms.log, arms.names[1], device));
  all.push_back({"a whole run, once", "s", naive_seconds, optimized_seconds});
  add_metrics(all, "validation", arms.naive.validation(), arms.optimized.validation());
  add_metrics(all, "test", a, b);
}

}  // namespace

void run_unit(Trainer& trainer, TimedUnit unit) {
  switch (unit) {
    case TimedUnit::step:
      return trainer.step();
    case TimedUnit::eval:
      return trainer.validate();
    case TimedUnit::epoch:
      return trainer.epoch();
  }
}

std::vector<Figure> figures(Arms& arms) {
  std::vector<Figure> all;
  add_counts(all, profiled(arms.naive, arms), profiled(arms.optimized, arms), arms);
  if (arms.unit == TimedUnit::step) {
    const auto nodes = [](const Trainer& trainer) { return trainer.nodes_of(trainer.typical_batch()); };
    all.push_back({"nodes of the batch that these count", "nodes", nodes(arms.naive), nodes(arms.optimized)});
  }
  if (arms.unit == TimedUnit::epoch) add_whole_run(all, arms);
  return all;
}

}  // namespace workloads::stgym
