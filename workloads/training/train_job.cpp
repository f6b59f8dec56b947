#include "workloads/training/train_job.hpp"

#include "harness/core/median.hpp"

#include "workloads/settings/train_settings.hpp"
#include "workloads/training/size.hpp"
#include "workloads/training/trainer.hpp"

#include <ATen/Parallel.h>

namespace workloads::training {
namespace {

using harness::Skip;

/// What is trained, how, and on how many threads.
struct Asked {
  Job job;
  Switches switches;
  int threads = 1;
  std::int64_t samples = 0;
};

/// No form has these together.
void check_together(const Asked& asked) {
  const auto& switches = asked.switches;
  if (asked.job.batch_size < asked.job.parts) throw Skip("a batch has fewer samples than parts");
  if (asked.job.batch_size > asked.job.dataset->training)
    throw Skip(fmt::format("{} has {} samples to train on, fewer than a batch", asked.job.dataset->source,
                           asked.job.dataset->training));
  if (switches.cuda_graph && switches.fp16)
    throw Skip("FP16's scale asks the host in each step, which no CUDA graph can");
  if (!switches.compiled) return;
  if (asked.job.parts > 1) throw Skip("the compiled step takes a batch whole");
  if (switches.fp16 || switches.tf32) throw Skip("the compiled step is in FP32 or BF16");
  if (switches.checkpoint) throw Skip("the compiled step decides itself what it keeps");
}

Asked asked_of(Job job, std::int64_t samples, const harness::run::TrainingOrder& order) {
  settings::TrainSettings given(order.settings);
  const bool on_cuda = order.device.is_cuda();
  Asked asked{.job = std::move(job), .switches = best(), .threads = order.threads, .samples = samples};
  auto& training = asked.job;
  auto& switches = asked.switches;
  const auto standard_batch = training.batch_size;
  training.validation_batch = standard_batch;
  training.batch_size = given.count("batch_size", standard_batch);
  training.parts = given.count("accumulation", 1);
  training.recipe.learning_rate *= given.factor("learning_rate", 1);
  if (given.word("rate_grows", {"no", "with_batch"}) == "with_batch")
    training.recipe.learning_rate *=
        static_cast<double>(training.batch_size) / static_cast<double>(standard_batch);
  training.workers = static_cast<int>(given.count("workers", 0, 0));
  training.batches_ready = static_cast<int>(given.count("prefetch", 2));
  asked.threads = static_cast<int>(given.count("threads", order.threads));
  asked.samples = given.count("samples", samples);
  switches.workers = training.workers > 0;
  const bool images = training.batch_norm;  // the other one is the GPT
  switches.channels_last = images && given.yes("channels_last");
  switches.checkpoint = !images && given.yes("checkpointing");
  switches.prefetch = on_cuda && given.yes("pinned");
  const auto precision = on_cuda ? given.word("precision", {"fp32", "bf16", "tf32", "fp16"})
                                 : given.word("precision", {"fp32", "bf16"});
  switches.bf16 = precision == "bf16";
  switches.fp16 = precision == "fp16";
  switches.tf32 = precision == "tf32";
  const auto execution = on_cuda ? given.word("execution", {"operators", "compiled", "cuda_graph"})
                                 : given.word("execution", {"operators", "compiled"});
  switches.compiled = execution == "compiled";
  switches.cuda_graph = execution == "cuda_graph";
  given.check_all_known();
  check_together(asked);
  return asked;
}

}  // namespace

harness::worker::Trained train_once(const harness::Device& device, const std::function<TrainingWork()>& make,
                                    const harness::worker::TellPart& tell) {
  using Clock = std::chrono::steady_clock;
  harness::worker::Trained trained;
  trained.peak_bytes = growth_by(device, [&] {
    const auto work = make();
    trained.batch = work.batch;
    trained.epoch = work.epoch;
    std::vector<double> behind_first;
    for (int part = 1; part <= harness::worker::training_parts; ++part) {
      const auto begin = Clock::now();
      work.train_part();
      const std::chrono::duration<double> seconds = Clock::now() - begin;
      const auto of_sample = seconds.count() / static_cast<double>(work.samples_of_part);
      if (part > 1) behind_first.push_back(of_sample);
      trained.seconds_per_sample = part > 1 ? harness::median(behind_first) : of_sample;
      tell(part, of_sample);
    }
    trained.loss = work.loss();
  });
  return trained;
}

harness::worker::Trained train_job(Job job, std::int64_t samples, const harness::run::TrainingOrder& order,
                                   const harness::worker::TellPart& tell) {
  const auto asked = asked_of(std::move(job), samples, order);
  const auto batch = asked.job.batch_size;
  const auto steps = std::max<std::int64_t>(1, asked.samples / harness::worker::training_parts / batch);
  const auto epoch = asked.job.dataset->training;
  at::set_num_threads(asked.threads);
  const auto make = [&] {
    const auto trainer = std::make_shared<Trainer>(asked.job, asked.switches);
    return TrainingWork{.samples_of_part = steps * batch,
                        .batch = batch,
                        .epoch = epoch,
                        .train_part =
                            [trainer, steps] {
                              for (std::int64_t step = 0; step < steps; ++step) trainer->step();
                              static_cast<void>(trainer->losses());
                            },
                        .loss = [trainer] { return trainer->validate().loss; }};
  };
  return train_once(order.device, make, tell);
}

}  // namespace workloads::training
