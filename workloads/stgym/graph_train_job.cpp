#include "workloads/stgym/graph_train_job.hpp"

#include "harness/libtorch/answer.hpp"

#include "workloads/settings/train_settings.hpp"
#include "workloads/stgym/measure/graph_trial.hpp"
#include "workloads/stgym/space/configuration_option.hpp"
#include "workloads/stgym/train/graph_trainer.hpp"
#include "workloads/training/train_job.hpp"

#include <ATen/Parallel.h>

namespace workloads::stgym {
namespace {

using harness::Setup;
using harness::Skip;

constexpr std::int64_t standard_epochs = 16;

/// What is trained, how, and on how many threads.
struct Asked {
  Job job;
  Switches switches;
  int threads = 1;
  std::int64_t epochs = standard_epochs;
};

/// No form has these together.
void check_together(const Asked& asked, const std::string& loader) {
  const auto& switches = asked.switches;
  const bool single = !switches.matmul_medium && !switches.bf16;
  if (loader == "processes" && !switches.workers_5) throw Skip("without workers nothing is a process");
  if (switches.prefetch && switches.workers_5)
    throw Skip("batches that are copied ahead are made by the training itself");
  if ((switches.compiled || switches.cuda_graph) && !single)
    throw Skip("compiled and recorded steps are measured in FP32 only");
  if (switches.cuda_graph && (switches.workers_5 || switches.prefetch))
    throw Skip("a recorded step fetches its batch itself");
}

/// "medium" lets FP32 products round their factors to BF16 where the library can.
Asked asked_of(Setup& setup, const harness::run::TrainingOrder& order) {
  settings::TrainSettings given(order.settings);
  const bool on_cuda = order.device.is_cuda();
  const bool ahead = on_cuda && given.yes("pinned");
  Asked asked{.job = {.dataset = shared_dataset(setup, ahead ? Data::pinned : Data::device, {}),
                      .device = harness::torch_device(setup.device),
                      .options = training_options(setup.options),
                      .seed = setup.seed,
                      .configuration = space::configuration_in(setup.options),
                      .libraries = training::faster_libraries},
              .switches = all_kept()};
  auto& job = asked.job;
  auto& switches = asked.switches;
  const auto standard = job.options.batch_size;
  job.validation_batch = standard;
  job.options.batch_size = given.count("batch_size", standard);
  job.rate_factor = given.factor("learning_rate", 1);
  if (given.word("rate_grows", {"no", "with_batch"}) == "with_batch")
    job.rate_factor *= static_cast<double>(job.options.batch_size) / static_cast<double>(standard);
  job.loader_workers = static_cast<int>(given.count("workers", 0, 0));
  const auto loader = given.word("loader", {"threads", "processes"});
  job.loader_kind = loader == "processes" ? Workers::processes : Workers::threads;
  asked.threads = static_cast<int>(given.count("threads", order.threads));
  asked.epochs = given.count("epochs", standard_epochs);
  const auto precision = given.word("precision", {"fp32", "medium", "bf16"});
  const auto execution = on_cuda ? given.word("execution", {"operators", "compiled", "cuda_graph"})
                                 : given.word("execution", {"operators", "compiled"});
  given.check_all_known();
  switches.workers_5 = job.loader_workers > 0;
  switches.prefetch = ahead;
  switches.matmul_medium = precision == "medium";
  switches.bf16 = precision == "bf16";
  switches.compiled = execution == "compiled";
  switches.cuda_graph = execution == "cuda_graph";
  check_together(asked, loader);
  return asked;
}

}  // namespace

harness::worker::Trained train_job(Setup& setup, const harness::run::TrainingOrder& order,
                                   const harness::worker::TellPart& tell) {
  const auto asked = asked_of(setup, order);
  const auto epochs = std::max<std::int64_t>(1, asked.epochs / harness::worker::training_parts);
  at::set_num_threads(asked.threads);
  const auto make = [&] {
    const auto trainer = std::make_shared<Trainer>(asked.job, asked.switches);
    const auto graphs = trainer->training_graphs();
    return training::TrainingWork{.samples_of_part = epochs * graphs,
                                  .batch = asked.job.options.batch_size,
                                  .epoch = graphs,
                                  .train_part =
                                      [trainer, epochs] {
                                        for (std::int64_t i = 0; i < epochs; ++i) trainer->epoch();
                                      },
                                  .loss = [trainer] { return trainer->validation().loss; }};
  };
  return training::train_once(order.device, make, tell);
}

}  // namespace workloads::stgym
