// Is the slow form slow for the published reasons only? Compares one training step of the naive form with its
// own two products with x, in one process, so that the ratio can be held against the ratio of STGym's Python.
//
//   stgym_step_cost [nodes per graph] [repetitions]
//
// Batches are made beforehand and anomaly detection is off: docs/stgym.md has Python's numbers for that. Two
// forms are measured with the batch made in each step, as a training makes it. As in the workers, which
// measure the rungs, freed memory stays with the process. By itself glibc gives large
// blocks back, and each step pays for getting them again page by page: the more nodes, the more blocks are
// large. The last form is measured both ways, so that the lines show what that costs.

#include "harness/machine/heap.hpp"

#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/train/torch_modes.hpp"
#include "workloads/stgym/train/training_options.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

namespace {

using namespace workloads::stgym;

/// Graphs of n nodes whose features are mostly zero, each with a handful of edges.
std::vector<GraphItem> make_graphs(std::int64_t graphs, std::int64_t n, const ModelShape& shape) {
  std::vector<GraphItem> items;
  for (std::int64_t g = 0; g < graphs; ++g) {
    const auto from = at::randint(n, {8}, at::kLong);
    const auto to = (from + 1).remainder(n);
    const auto edges = at::cat({at::stack({from, to}), at::stack({to, from})}, 1);
    items.push_back({at::relu(at::randn({n, shape.features}) - 1), at::randint(shape.classes, {n}, at::kLong),
                     edges, adjacency_of(edges, n)});
  }
  return items;
}

/// Pages that the kernel had to give to this process so far.
long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

struct Cost {
  double seconds = 1e9;
  long faults = 0;  // of a run
};

/// The shortest of `repetitions` runs: other programs can only add to a run.
Cost cost(int repetitions, const std::function<void()>& run) {
  run();
  Cost best;
  const auto faults_before = page_faults();
  for (int i = 0; i < repetitions; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    const auto end = std::chrono::steady_clock::now();
    best.seconds = std::min(best.seconds, std::chrono::duration<double>(end - begin).count());
  }
  best.faults = (page_faults() - faults_before) / repetitions;
  return best;
}

using MakeBatch = std::function<Batch()>;

void print_libraries(const ModelShape& shape) {
  using workloads::training::Library;
  const auto found = workloads::training::faster_libraries(at::zeros({shape.hidden, shape.features}));
  const auto name = [](Library library) { return library == Library::blas ? "BLAS" : "oneDNN"; };
  std::printf("the probe: x W' through %s, the gradient by W through %s\n", name(found.forward),
              name(found.by_weight));
}

Cost step_cost(const MakeBatch& make, Switches switches, const ModelShape& shape, int repetitions) {
  switches.no_anomaly = true;
  const Modes modes(switches);
  Model model(shape, 1, at::kCPU, workloads::training::faster_libraries);
  workloads::training::Optimizer adam(model.parameters(), recipe_of({}), switches.fused_optimizer);
  return cost(repetitions, [&] {
    const auto batch = make();
    adam.zero_grad();
    backward(model.losses(model.forward(batch, switches), batch).total, switches);
    adam.step();
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t nodes = argc > 1 ? std::atoll(argv[1]) : 561;
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 10;
  const ModelShape shape;
  const auto graphs = make_graphs(16, nodes, shape);
  const auto batch = join(graphs);
  const auto in_place = line_up(graphs);
  std::printf("%lld nodes, %lld features, %d threads\n", static_cast<long long>(batch.x.size(0)),
              static_cast<long long>(shape.features), at::get_num_threads());

  const auto weight = at::randn({shape.hidden, shape.features});
  const auto gradient = at::randn({batch.x.size(0), shape.hidden});
  const auto returning = step_cost([&] { return in_place; }, all_kept(), shape, repetitions);
  harness::keep_freed_memory();
  const auto products = cost(repetitions, [&] {
    at::mm(batch.x, weight.t());
    at::mm(gradient.t(), batch.x);
  });
  std::printf("two products with x  %.4f s\n", products.seconds);

  print_libraries(shape);

  const auto print = [&](const char* name, const Cost& step) {
    std::printf("%-20s %.4f s, %.1f times the products, %ld page faults\n", name, step.seconds,
                step.seconds / products.seconds, step.faults);
  };
  const auto report = [&](const char* name, const Switches& switches) {
    print(name, step_cost([&] { return batch; }, switches, shape, repetitions));
  };
  report("naive", {});
  report("published end", with(last_published));
  report("explicit_sizes", with(&Switches::explicit_sizes));
  report("no_host_checks", with(&Switches::no_host_checks));
  report("segment_pooling", with(&Switches::segment_pooling));
  report("project_first", with(&Switches::project_first));
  report("fused_optimizer", with(&Switches::fused_optimizer));
  report("onednn_products", with(&Switches::onednn_products));
  report("probed_products", with(&Switches::probed_products));
  report("no_unread_graph", with(&Switches::no_unread_graph));
  report("fused_pooling", with(&Switches::fused_pooling));
  const auto best = [&](const char* name, const MakeBatch& make) {
    print(name, step_cost(make, all_kept(), shape, repetitions));
  };
  best("rows_in_place", [&] { return in_place; });
  best("fused_pooling, the batch made in each step", [&] { return join(graphs); });
  best("rows_in_place, the batch made in each step", [&] { return line_up(graphs); });
  print("rows_in_place, freed memory given back", returning);
}
