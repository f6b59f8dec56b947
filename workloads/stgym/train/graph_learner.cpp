#include "workloads/stgym/train/graph_learner.hpp"

#include "harness/libtorch/range.hpp"

#include "workloads/stgym/data/metrics.hpp"
#include "workloads/stgym/space/shipped.hpp"
#include "workloads/stgym/space_model/space_model.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>

namespace workloads::stgym {
namespace {

class PublishedLearner : public Learner {
 public:
  PublishedLearner(const ModelShape& shape, const LearnerSetup& setup)
      : model_(shape, setup.seed, setup.device, setup.libraries), start_(model_.parameters()) {
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

std::vector<Metric> clustering_metrics(const Scores& all) {
  const auto agreement = agreement_per_graph(all.labels, all.scores.argmax(1), all.sizes);
  return {{"NMI", "index", agreement.nmi}, {"ARI", "index", agreement.ari}};
}

std::vector<Metric> classification_metrics(const Scores& all, bool of_graphs) {
  const bool two_classes = all.scores.dim() == 1;
  const auto predicted = two_classes ? all.scores.gt(0).to(at::kLong) : all.scores.argmax(1);
  std::vector<Metric> metrics{
      {"accuracy", "share", accuracy(predicted, all.labels)},
      {"micro-F1", "share", micro_f1(predicted, all.labels, two_classes ? 2 : all.scores.size(1))}};
  if (of_graphs)
    metrics.push_back({"ROC-AUC", "share",
                       two_classes ? roc_auc(all.labels, all.scores)
                                   : roc_auc_one_versus_one(all.labels, at::softmax(all.scores, 1))});
  return metrics;
}

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
                                       .placement = at::device(setup.device).dtype(at::kFloat),
                                       .libraries = setup.libraries});
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

double Scores::operator[](std::string_view metric) const {
  const auto found = std::ranges::find(metrics, metric, &Metric::name);
  if (found == metrics.end()) throw std::out_of_range("no metric '" + std::string(metric) + "'");
  return found->value;
}

Scores evaluate(Learner& learner, const NextBatch& next, const Switches& switches, space::TaskType task) {
  const harness::Range range("eval");
  const c10::NoGradGuard no_gradients;
  Scores all;
  std::vector<at::Tensor> scores, labels, losses;
  while (const auto batch = next()) {
    const auto outcome = learner.forward(*batch, switches, space::Mode::evaluation);
    losses.push_back(outcome.loss);
    all.sizes.insert(all.sizes.end(), batch->sizes.begin(), batch->sizes.end());
    if (!switches.delayed_cpu) {
      // At once: the host waits for the batch's whole forward pass, twice, and queues nothing meanwhile.
      scores.push_back(outcome.scores.cpu());
      labels.push_back(batch->y.cpu());
    } else {
      scores.push_back(outcome.scores);
      labels.push_back(batch->y);
    }
  }
  all.scores = at::cat(scores).cpu();
  all.labels = at::cat(labels).cpu();
  all.loss = at::stack(losses).mean().item<double>();
  all.metrics = task == space::TaskType::node_clustering
                    ? clustering_metrics(all)
                    : classification_metrics(all, task == space::TaskType::graph_classification);
  return all;
}

}  // namespace workloads::stgym
