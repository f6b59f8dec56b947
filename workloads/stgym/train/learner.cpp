#include "workloads/stgym/train/learner.hpp"

#include "workloads/stgym/space/shipped.hpp"
#include "workloads/stgym/space_model/model.hpp"

#include <ATen/ATen.h>

#include <utility>

namespace workloads::stgym {
namespace {

class PublishedLearner : public Learner {
 public:
  PublishedLearner(const ModelShape& shape, const LearnerSetup& setup)
      : model_(shape, setup.seed, setup.device), start_(model_.parameters()) {
    for (auto& [name, tensor] : start_) tensor = tensor.detach().clone();
  }

  Outcome forward(const Batch& batch, const Switches& switches, space::Mode /*mode*/) override {
    const auto prediction = model_.forward(batch, switches);
    const auto losses = model_.losses(prediction, batch);
    return {prediction.logits, losses.total, losses.label};
  }
  NamedTensors parameters() const override { return model_.parameters(); }
  void reset() override { model_.assign(start_); }
  const HostIndices& host_indices() const override { return model_.host_indices(); }

 private:
  Model model_;
  NamedTensors start_;
};

class ConfiguredLearner : public Learner {
 public:
  ConfiguredLearner(const space::Configuration& configuration, const space::ModelSetup& setup)
      : model_(configuration, setup) {}

  Outcome forward(const Batch& batch, const Switches& switches, space::Mode mode) override {
    const auto prediction = model_.forward(batch, switches, mode);
    const auto losses = model_.losses(prediction, batch);
    return {prediction.scores, losses.total, losses.label};
  }
  NamedTensors parameters() const override { return model_.parameters(); }
  void reset() override { model_.reset(); }
  const HostIndices& host_indices() const override { return model_.host_indices(); }

 private:
  space::Model model_;
};

}  // namespace

ModelShape published_shape(const space::Configuration& configuration, const Dataset& dataset) {
  const auto& layer = configuration.model.mp_layers.front();
  const bool nodes = configuration.task.type == space::TaskType::node_classification;
  return {.features = dataset.features(),
          .hidden = layer.dim_inner,
          .clusters = layer.pooling->n_clusters,
          .classes = nodes ? configuration.task.num_classes : 1,
          .post_hidden = configuration.model.post_mp_layer->dims,
          .task = nodes ? Task::node_classification : Task::graph_classification};
}

std::unique_ptr<Learner> make_learner(const space::Configuration& configuration, const Dataset& dataset,
                                      const LearnerSetup& setup) {
  if (space::has_published_shape(configuration))
    return std::make_unique<PublishedLearner>(published_shape(configuration, dataset), setup);
  return std::make_unique<ConfiguredLearner>(
      configuration, space::ModelSetup{.features = dataset.features(),
                                       .classes = configuration.task.num_classes,
                                       .seed = setup.seed,
                                       .placement = at::device(setup.device).dtype(at::kFloat)});
}

space::Configuration standard_configuration(const Dataset& dataset) {
  auto configuration = space::benchmark_configuration();
  configuration.task.num_classes = dataset.classes;
  if (dataset.task == Task::graph_classification) {
    configuration.task.type = space::TaskType::graph_classification;
    configuration.model.post_mp_layer->style.act = space::Activation::prelu;
  }
  return configuration;
}

}  // namespace workloads::stgym
