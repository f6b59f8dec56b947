// Whole trainings of configurations.
#include "tests/workloads/stgym/space/small_configuration.hpp"

#include "workloads/stgym/data/batch.hpp"
#include "workloads/stgym/data/cell_file.hpp"
#include "workloads/stgym/data/graph_dataset.hpp"
#include "workloads/stgym/space/data_option.hpp"
#include "workloads/stgym/space/shipped.hpp"
#include "workloads/stgym/space_model/space_model.hpp"
#include "workloads/stgym/train/graph_learner.hpp"
#include "workloads/stgym/train/graph_trainer.hpp"
#include "workloads/stgym/train/training_options.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace {

using namespace workloads::stgym;
using namespace workloads::stgym::examples;

/// What one epoch has come to: mean loss over its training batches, then both other parts of the split.
struct EpochReport {
  double training_loss = 0;
  Scores validation;
  Scores test;
};

struct Fit {
  std::vector<EpochReport> epochs;
  bool stopped_early = false;  // the validation loss had not fallen for as long as there is patience
  std::size_t best = 0;        // the epoch with the lowest validation loss, from 0
};

/// Trains until the last epoch, or until the configuration's patience is over.
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

Job job_of(const Configuration& c) {
  const auto options = options_of(c);
  return {.dataset = std::make_shared<const Dataset>(load_dataset(options, 7)),
          .device = at::kCPU,
          .options = training_options(options),
          .seed = 7,
          .configuration = space::configuration_in(options)};
}

std::vector<std::string> metric_names(const Scores& scores) {
  std::vector<std::string> names;
  for (const auto& metric : scores.metrics) names.emplace_back(metric.name);
  return names;
}

TEST_CASE("each task is trained to its end, and each epoch has its losses and metrics", "[stgym]") {
  using Names = std::vector<std::string>;
  const auto [configuration, names] = GENERATE(table<Configuration, Names>({
      {small(), {"accuracy", "micro-F1"}},
      {of_graphs(small(), 2), {"accuracy", "micro-F1", "ROC-AUC"}},
      {of_graphs(small(), 3), {"accuracy", "micro-F1", "ROC-AUC"}},
      {clustering(small()), {"NMI", "ARI"}},
  }));
  const auto result = fit(job_of(configuration), all_kept());
  REQUIRE(result.epochs.size() == 3);
  CHECK_FALSE(result.stopped_early);
  CHECK(result.epochs.back().training_loss < result.epochs.front().training_loss);
  for (const auto& epoch : result.epochs) {
    CHECK(std::isfinite(epoch.validation.loss));
    CHECK(metric_names(epoch.validation) == names);
    CHECK(metric_names(epoch.test) == names);
    for (const auto& metric : epoch.test.metrics) CHECK(std::abs(metric.value) <= 1);
  }
}

TEST_CASE("training stops when the validation loss has not fallen for as long as there is patience",
          "[stgym]") {
  auto configuration = small();
  configuration.model.mp_layers[0].style = {.use_batchnorm = false, .has_bias = true};
  configuration.train.max_epoch = 9;
  configuration.train.optim.base_lr = 1e-30;  // no parameter moves
  configuration.train.early_stopping = space::EarlyStopping{2};
  const auto result = fit(job_of(configuration), all_kept());
  CHECK(result.stopped_early);
  CHECK(result.epochs.size() == 3);
  CHECK(result.best == 0);
  configuration.train.early_stopping.reset();
  CHECK(fit(job_of(configuration), all_kept()).epochs.size() == 9);
}

TEST_CASE("a cosine schedule lowers the rate epoch by epoch", "[stgym]") {
  auto configuration = small();
  configuration.train.max_epoch = 4;
  const auto constant = fit(job_of(configuration), all_kept());
  configuration.train.lr_schedule = space::ScheduleType::cos;
  const auto cosine = fit(job_of(configuration), all_kept());
  CHECK(cosine.epochs[0].training_loss == constant.epochs[0].training_loss);  // the first has the base rate
  CHECK(cosine.epochs[3].training_loss != constant.epochs[3].training_loss);
}

TEST_CASE("each fold of the split trains", "[stgym]") {
  auto configuration = of_graphs(small(), 2);
  configuration.train.max_epoch = 1;
  std::int64_t tested = 0;
  for (std::int64_t fold = 0; fold < 4; ++fold) {
    configuration.data_loader.split = space::FoldSplit{4, fold};
    tested += fit(job_of(configuration), all_kept()).epochs[0].test.labels.size(0);
  }
  CHECK(tested == 159);
}

TEST_CASE("a restarted training repeats itself, batch norm and dropout included", "[stgym]") {
  auto configuration = of_graphs(small(), 2);
  configuration.model.mp_layers[0].style.dropout = 0.5;
  Trainer trainer(job_of(configuration), all_kept());
  trainer.epoch();
  const auto first = trainer.losses();
  const auto scores = trainer.validation().scores;
  trainer.restart();
  trainer.epoch();
  CHECK(trainer.losses() == first);
  CHECK(at::equal(trainer.validation().scores, scores));
}

TEST_CASE("the benchmark as a configuration is what is trained without one, bit for bit", "[stgym]") {
  const Options plain{{"scale", "0.002"}};
  const Job without{std::make_shared<const Dataset>(load_dataset(plain, 7)), at::kCPU,
                    training_options(plain), 7};
  Trainer standard(without, all_kept());
  Trainer configured(job_of(space::benchmark_configuration()), all_kept());
  standard.epoch();
  configured.epoch();
  CHECK(configured.losses() == standard.losses());
}

TEST_CASE("the design space's model of the published shape is the published model", "[stgym]") {
  const auto configuration = space::benchmark_configuration();
  const auto dataset = load_dataset({{"scale", "0.002"}}, 7);
  const auto batch = fetch_batch(dataset, {0, 1, 2});
  const auto published = make_learner(configuration, dataset, {.seed = 1, .device = at::kCPU});
  space::Model model(configuration, {.features = dataset.features(), .classes = 39, .seed = 2});
  model.assign(published->parameters());
  for (const auto& switches : {Switches{}, all_kept()}) {
    const auto expected = published->forward(batch, switches, space::Mode::training).loss.item<double>();
    const auto loss = model.losses(model.forward(batch, switches), batch).total.item<double>();
    CHECK(std::abs(loss - expected) <= 1e-5 * std::abs(expected));
  }
}

TEST_CASE("switches that a model does not know are not set for it", "[stgym]") {
  auto configuration = small();
  configuration.model.mp_layers[0].pooling.reset();
  const auto known = space::applicable(configuration, all_kept());
  CHECK_FALSE(known.segment_pooling);
  CHECK_FALSE(known.fused_pooling);
  CHECK(known.onednn_products);
  CHECK(known.fused_optimizer);
  CHECK(space::applicable(space::benchmark_configuration(), all_kept()) == all_kept());
}

TEST_CASE("a batch norm that would see a single graph is refused before anything is trained", "[stgym]") {
  auto configuration = of_graphs(small(), 2);
  configuration.model.post_mp_layer->style = {};
  configuration.data_loader.batch_size = 55;  // 111 = 2 * 55 + 1
  CHECK_THROWS_AS(fit(job_of(configuration), all_kept()), harness::BadInput);
}

TEST_CASE("the configuration says who is whose neighbour, and has graphs labelled evenly", "[stgym]") {
  auto configuration = of_graphs(small(), 3);
  const auto dataset = load_dataset(options_of(configuration), 7);
  CHECK(dataset.rule.kind == NeighbourRule::Kind::knn);
  CHECK(neighbour_edges(dataset, 0).size(1) == 3 * dataset.nodes(0));
  CHECK(at::equal(at::bincount(dataset.y), at::full({3}, 53, at::kLong)));
}

TEST_CASE("what is known of the data sets beforehand is what their layouts say") {
  for (const auto& layout : layouts()) {
    const auto known = space::known_data();
    const auto found = std::ranges::find(known, layout.name, &space::KnownData::name);
    REQUIRE(found != known.end());
    CHECK(found->classes == layout.classes);
    CHECK(found->labels_graphs == (layout.task == Task::graph_classification));
    CHECK(found->labels_nodes == (layout.task == Task::node_classification));
  }
  CHECK(space::known_data().size() == layouts().size() + 1);
}

}  // namespace
