#include "ranks_ways.hpp"

#include "tests/made_up_step.hpp"
#include "tests/workloads/training/small_gpt.hpp"

#include "harness/core/same_answer.hpp"
#include "harness/libtorch/generator.hpp"
#include "harness/libtorch/rank.hpp"

#include "workloads/training/trainer.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace workloads {
namespace gpt {
extern const std::span<const harness::Step> rungs;
}
namespace resnet50 {
extern const std::span<const harness::Step> rungs;
}
namespace unet {
extern const std::span<const harness::Step> rungs;
}
}  // namespace workloads

namespace ranks_ways {
namespace {

using namespace harness;
using namespace workloads::training;
using workloads::training::Sample;  // not a measurement's

enum Model { gpt, batch_norm };
enum Way { buckets, each_gradient, no_sync, sync_each, whole_batch, forgotten_division, reads };

constexpr Axis axes[] = {{.name = "model", .about = "what is trained", .labels = {"gpt", "batch_norm"}},
                         {.name = "way",
                          .about = "how",
                          .labels = {"buckets", "each_gradient", "no_sync", "sync_each", "whole_batch",
                                     "forgotten_division", "reads"}}};

/// A convolution, a batch norm, and classes.
struct Normalised {
  explicit Normalised(at::TensorOptions options) : state(options) {}
  State state;
  Convolution convolution{state, "conv", {1, 4}, {}};
  BatchNorm norm{state, "norm", 4};
  Linear classes{state, "fc", {4, 3}};
};

Network normalised(at::TensorOptions options) {
  const auto model = std::make_shared<Normalised>(options);
  return {.predict =
              [model](const at::Tensor& x, const Switches&, Mode mode) {
                return model->classes(at::relu(model->norm(model->convolution(x), mode)).mean({2, 3}));
              },
          .loss = [](const at::Tensor& output,
                     const at::Tensor& target) { return at::cross_entropy_loss(output, target); },
          .parameters = model->state.parameters(),
          .buffers = model->state.buffers()};
}

Sample image(std::int64_t i) {
  auto generator = harness::host_generator(static_cast<std::uint64_t>(i) + 1);
  return {at::randn({1, 6, 6}, generator, at::TensorOptions().dtype(at::kDouble)),
          at::scalar_tensor(i % 3, at::kLong)};
}

Job job_of(Model model) {
  auto job = small_job();
  if (model == batch_norm) {
    job.make = normalised;
    job.gain = 2;
    job.batch_norm = true;
    job.dataset = std::make_shared<const Dataset>(
        Dataset{.source = "made up", .training = 12, .validation = 4, .get = image});
  }
  job.recipe = {.algorithm = Algorithm::sgd, .learning_rate = 0.1, .momentum = 0.9};
  job.clip = 0;
  job.type = at::kDouble;
  return job;
}

/// A training by one process, and this rank's part of the same.
class Both {
 public:
  Both(std::shared_ptr<const Rank> rank, Model model, Way way)
      : rank_(std::move(rank)),
        way_(way),
        job_(in_parts(job_of(model), way)),
        alone_(alone(job_, way), {}),
        mine_(with_others(job_), {}) {}

  void restart() {
    alone_.restart();
    mine_.restart();
    worst_ = 0;
  }

  /// Three steps, since the Reducer rebuilds its buckets behind the first.
  void train() {
    const Feed feed(*job_.dataset, false);
    for (const auto& numbers : shuffled_batches(job_.dataset->training, job_.batch_size, 1)) {
      const auto whole = feed.batch(numbers), own = feed.batch(shard_of(numbers, *rank_));
      const auto right = alone_.train(whole);
      note(mine_.over_all_ranks(mine_.train(own)), right);
      const auto gradients = mine_.gradients(), all = alone_.gradients();
      for (std::size_t i = 0; i < gradients.size(); ++i)
        note(way_ == forgotten_division ? gradients[i] * rank_->size() : gradients[i], all[i]);
    }
  }

  /// How far off a loss or a gradient was, as a share of its largest value.
  double worst() const { return worst_; }

 private:
  static Job in_parts(Job job, Way way) {
    if (way == no_sync || way == sync_each) job.parts = 2;
    return job;
  }
  Job alone(Job job, Way way) const {
    job.parts = job.batch_norm && way != whole_batch ? job.parts * rank_->size() : 1;
    return job;
  }
  Job with_others(Job job) const {
    job.data_parallel = {.rank = rank_,
                         .bucket_bytes = way_ == each_gradient ? 1 : ddps_bucket,
                         .sync_each_part = way_ == sync_each};
    return job;
  }
  void note(const at::Tensor& value, const at::Tensor& right) {
    const auto off = (value - right).abs().max() / right.abs().max();
    worst_ = std::max(worst_, off.item<double>());
  }

  std::shared_ptr<const Rank> rank_;
  Way way_;
  Job job_;
  Learner alone_, mine_;
  double worst_ = 0;
};

Trial fp64_trial(const std::shared_ptr<const Rank>& rank, Model model, Way way) {
  const auto both = std::make_shared<Both>(rank, model, way);
  const auto form = [both] { both->train(); };
  return {.naive = form,
          .optimized = form,
          .clear = [both] { both->restart(); },
          .answer = [both](Form) -> Answer {
            constexpr double fp64 = 1e-12;
            if (!(both->worst() <= fp64))
              throw Disagreement(fmt::format("off by {:.2g} of the largest value", both->worst()));
            return std::vector<float>{1};
          }};
}

/// Counts the samples that a rank reads in an epoch.
Trial reading_trial(const std::shared_ptr<const Rank>& rank) {
  const auto read = std::make_shared<std::vector<std::int64_t>>();
  auto job = small_job();
  auto dataset = *job.dataset;
  dataset.validation = 0;
  dataset.get = [read, get = dataset.get](std::int64_t i) {
    read->push_back(i);
    return get(i);
  };
  job.dataset = std::make_shared<const Dataset>(dataset);
  job.data_parallel = {.rank = rank};
  const auto trainer = std::make_shared<Trainer>(job, Switches());
  const auto form = [trainer] { trainer->epoch(); };
  return {.naive = form,
          .optimized = form,
          .clear =
              [trainer, read] {
                trainer->restart();
                read->clear();
              },
          .answer = [read, rank](Form) -> Answer {
            std::vector<std::int64_t> right;
            for (const auto& batch : shuffled_batches(12, 4, 5 * 1000))
              for (int i = 0; i < 2; ++i)
                right.push_back(batch.at(static_cast<std::size_t>(2 * rank->number() + i)));
            if (*read != right) throw Disagreement("the rank has read other samples than its shard");
            return std::vector<float>{1};
          }};
}

Trial prepare(Setup& setup, const Point& point) {
  const auto rank = rank_of(setup);
  const auto way = static_cast<Way>(point["way"]);
  return way == reads ? reading_trial(rank) : fp64_trial(rank, static_cast<Model>(point["model"]), way);
}

constexpr Step step = tests::made_up_step("ways/training", axes, prepare);
constexpr std::string_view rungs[] = {"gpt/ddp", "gpt/ddp_no_sync", "gpt/ddp_buckets", "resnet50/ddp",
                                      "unet/ddp_no_sync"};

}  // namespace

Steps steps() {
  static const std::vector<const Step*> all = [] {
    std::vector<const Step*> found{&step};
    for (const auto& model : {workloads::gpt::rungs, workloads::resnet50::rungs, workloads::unet::rungs})
      for (const auto& rung : model)
        if (std::ranges::find(rungs, rung.id) != std::end(rungs)) found.push_back(&rung);
    return found;
  }();
  return all;
}

run::StepAt row(std::string_view model, std::string_view way) {
  return run::find_row(steps(), fmt::format("ways/training/model:{}/way:{}", model, way), 0);
}

}  // namespace ranks_ways
