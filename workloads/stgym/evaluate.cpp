#include "workloads/stgym/evaluate.hpp"

#include "harness/torch/range.hpp"

#include "workloads/stgym/data/metrics.hpp"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

namespace workloads::stgym {

Scores evaluate(Model& model, BatchLoader& loader, const Switches& switches) {
  const harness::Range range("eval");
  const c10::NoGradGuard no_gradients;
  std::vector<at::Tensor> scores, labels, losses;
  while (const auto batch = loader.next()) {
    const auto prediction = model.forward(*batch, switches);
    losses.push_back(model.losses(prediction, *batch).total);
    if (!switches.delayed_cpu) {
      // At once: the host waits for the batch's whole forward pass, twice, and queues nothing meanwhile.
      scores.push_back(prediction.logits.cpu());
      labels.push_back(batch->y.cpu());
    } else {
      scores.push_back(prediction.logits);
      labels.push_back(batch->y);
    }
  }
  Scores all;
  all.scores = at::cat(scores).cpu();
  all.labels = at::cat(labels).cpu();
  all.loss = at::stack(losses).mean().item<double>();
  const bool nodes = all.scores.dim() == 2;
  const auto predicted = nodes ? all.scores.argmax(1) : all.scores.gt(0).to(at::kLong);
  all.accuracy = accuracy(predicted, all.labels);
  all.micro_f1 = micro_f1(predicted, all.labels, nodes ? all.scores.size(1) : 2);
  return all;
}

}  // namespace workloads::stgym
