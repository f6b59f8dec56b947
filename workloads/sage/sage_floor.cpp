#include "workloads/sage/sage_floor.hpp"

namespace workloads::sage {

training::Work step_work(const Job& job, const Subgraph& graph) {
  constexpr double products_a_layer = 2;  // of the neighbours' mean, of the node itself
  constexpr double passes_of_adam = 7;    // reads value, gradient, two moments; writes value and moments
  const auto hops = static_cast<std::int64_t>(job.fan_outs.size());
  const auto features = job.graph->features.size(1);
  training::Work work;
  for (std::int64_t layer = 0; layer < hops; ++layer) {
    const auto in = static_cast<double>(layer == 0 ? features : job.hidden);
    const auto out = static_cast<double>(layer + 1 == hops ? job.graph->classes : job.hidden);
    const auto rows = static_cast<double>(trimmed(graph, hops - 1 - layer).targets);
    const double passes = layer == 0 ? 2 : 3;  // features need no gradient
    work.flop += passes * products_a_layer * 2 * rows * in * out;
    work.bytes += training::float_bytes * passes_of_adam * products_a_layer * in * out;
  }
  const auto feature_bytes = training::float_bytes * static_cast<double>(graph.nodes() * features);
  work.bytes += 2 * feature_bytes;
  if (job.device.is_cuda()) work.link_bytes = feature_bytes;
  return work;
}

}  // namespace workloads::sage
