#include "workloads/stgym/measure/graph_floor.hpp"

#include <algorithm>

namespace workloads::stgym {
namespace {

/// Inputs and outputs of every linear layer behind the first, in floats a node.
struct Widths {
  double products = 0;    // sum of inputs * outputs
  double outputs = 0;     // sum of outputs
  double parameters = 0;  // of all layers, the first too
};

Widths widths_of(const ModelShape& shape) {
  Widths all;
  const auto add = [&](std::int64_t inputs, std::int64_t outputs) {
    all.products += static_cast<double>(inputs * outputs);
    all.outputs += static_cast<double>(outputs);
    all.parameters += static_cast<double>((inputs + 1) * outputs);
  };
  add(shape.hidden, shape.hidden);
  add(shape.hidden, shape.clusters);
  auto width = shape.clusters;
  for (const auto next : shape.post_hidden) {
    add(width, next);
    width = next;
  }
  add(width, shape.classes);
  all.parameters += static_cast<double>((shape.features + 1) * shape.hidden);
  return all;
}

/// Multiplications and additions of S'h and S'S.
double pooling_flop(const ModelShape& shape) {
  return 2 * static_cast<double>(shape.clusters * (shape.hidden + shape.clusters));
}

double first_layer_flop(const ModelShape& shape) {
  return 2 * static_cast<double>(shape.features * shape.hidden);
}

}  // namespace

Work training_work(const ModelShape& shape, double nodes) {
  const auto widths = widths_of(shape);
  const auto features = static_cast<double>(shape.features);
  const auto activations = static_cast<double>(shape.hidden) + widths.outputs;
  constexpr double adam = 8;  // times a parameter is read or written
  constexpr double label = 8;
  // Three products a layer, two of the first, whose input needs no gradient; S'h has no gradient here.
  return {nodes * (2 * float_bytes * features + 2 * float_bytes * activations + label) +
              adam * float_bytes * widths.parameters,
          nodes * (2 * first_layer_flop(shape) + 3 * 2 * widths.products + 2 * pooling_flop(shape))};
}

Work prediction_work(const ModelShape& shape, double nodes) {
  const auto widths = widths_of(shape);
  constexpr double label = 8;
  return {
      nodes * (float_bytes * static_cast<double>(shape.features) + label) + float_bytes * widths.parameters,
      nodes * (first_layer_flop(shape) + 2 * widths.products + pooling_flop(shape))};
}

Work link_work(const ModelShape& shape, double nodes) {
  constexpr double label = 8;
  return {.link_bytes = nodes * (float_bytes * static_cast<double>(shape.features) + label)};
}

Work work_of(const Trainer& trainer, TimedUnit unit) {
  const auto extent = trainer.extent();
  const auto& shape = extent.shape;
  const auto trained =
      unit == TimedUnit::step ? trainer.nodes_of(trainer.typical_batch()) : extent.training_nodes;
  Work work;
  if (unit != TimedUnit::eval) work = work + training_work(shape, trained);
  if (unit != TimedUnit::step) work = work + prediction_work(shape, extent.validation_nodes);
  if (!trainer.moves_batches()) return work;
  const auto moved =
      (unit == TimedUnit::eval ? 0 : trained) + (unit == TimedUnit::step ? 0 : extent.validation_nodes);
  return work + link_work(shape, moved);
}

std::vector<harness::Figure> floor_figures(const Trainer& naive, const Trainer& optimized, TimedUnit unit,
                                           const Rates& rates) {
  return training::floor_figures(work_of(naive, unit), work_of(optimized, unit), rates);
}

}  // namespace workloads::stgym
