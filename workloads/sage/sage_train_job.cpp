#include "workloads/sage/sage_train_job.hpp"

#include "workloads/sage/sage_trial.hpp"
#include "workloads/settings/train_settings.hpp"
#include "workloads/training/train_once.hpp"

#include <ATen/Parallel.h>

#include <algorithm>
#include <memory>

namespace workloads::sage {

harness::worker::Trained train_job(harness::Setup& setup, const harness::run::TrainingOrder& order,
                                   const harness::worker::TellPart& tell) {
  settings::TrainSettings given(order.settings);
  auto asked = job(setup);
  auto switches = best();
  asked.batch_size = given.count("batch_size", asked.batch_size);
  asked.learning_rate *= given.factor("learning_rate", 1);
  asked.workers = static_cast<int>(given.count("workers", 0, 0));
  asked.batches_ready = static_cast<int>(given.count("prefetch", 2));
  switches.workers = switches.gather_in_workers = asked.workers > 0;
  switches.half_features = given.word("features", {"fp32", "bf16"}) == "bf16";
  const auto samples = given.count("samples", 16 * asked.batch_size);
  at::set_num_threads(static_cast<int>(given.count("threads", order.threads)));
  given.check_all_known();

  const auto steps = std::max<std::int64_t>(1, samples / harness::worker::training_parts / asked.batch_size);
  const auto make = [&] {
    const auto trainer = std::make_shared<Trainer>(asked, switches);
    return training::TrainingWork{.samples_of_part = steps * asked.batch_size,
                                  .batch = asked.batch_size,
                                  .epoch = asked.graph->training,
                                  .train_part =
                                      [trainer, steps] {
                                        trainer->steps(steps);
                                        static_cast<void>(trainer->losses());
                                      },
                                  .loss = [trainer] { return trainer->validation_loss(); }};
  };
  return training::train_once(order.device, make, tell);
}

}  // namespace workloads::sage
