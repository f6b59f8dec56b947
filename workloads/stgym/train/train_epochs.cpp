#include "workloads/stgym/train/train_epochs.hpp"

#include <algorithm>
#include <numeric>

namespace workloads::stgym {

Fit fit(const Job& job, const Switches& switches) {
  Trainer trainer(job, switches);
  Fit fit;
  while (!trainer.finished()) {
    trainer.epoch();
    const auto losses = trainer.losses();
    const auto last = losses.end() - trainer.batches_per_epoch();
    const auto mean = std::accumulate(last, losses.end(), 0.0) / static_cast<double>(losses.end() - last);
    fit.epochs.push_back({mean, trainer.validation(), trainer.test()});
  }
  fit.stopped_early = trainer.stopped_early();
  const auto lowest =
      std::ranges::min_element(fit.epochs, {}, [](const auto& e) { return e.validation.loss; });
  fit.best = static_cast<std::size_t>(lowest - fit.epochs.begin());
  return fit;
}

}  // namespace workloads::stgym
