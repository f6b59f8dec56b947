#include "workloads/stgym/train/evaluate.hpp"

#include "harness/libtorch/range.hpp"

#include "workloads/stgym/data/metrics.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace workloads::stgym {
namespace {

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
