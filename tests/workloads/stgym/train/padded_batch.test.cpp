#include "workloads/stgym/model/published_model.hpp"
#include "workloads/stgym/space/stgym_switches.hpp"
#include "workloads/stgym/train/graphed_steps.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

using namespace workloads::stgym;

std::vector<GraphItem> graphs_of_size(const std::vector<std::int64_t>& sizes) {
  std::vector<GraphItem> graphs;
  for (const auto n : sizes) {
    const auto from = at::randint(n, {5}, at::kLong);
    const auto to = (from + 1).remainder(n);
    const auto edges = at::cat({at::stack({from, to}), at::stack({to, from})}, 1);
    graphs.push_back({at::rand({n, 12}), at::randint(6, {n}, at::kLong), edges, adjacency_of(edges, n)});
  }
  return graphs;
}

/// The same graphs, each with one label.
std::vector<GraphItem> with_graph_labels(std::vector<GraphItem> graphs) {
  for (std::size_t i = 0; i < graphs.size(); ++i)
    graphs[i].y = at::full({1}, static_cast<std::int64_t>(i % 2), at::kLong);
  return graphs;
}

Model small_model(Task task) {
  ModelShape shape;
  shape.task = task;
  shape.features = 12;
  shape.hidden = 16;
  shape.clusters = 4;
  shape.classes = task == Task::node_classification ? 6 : 1;
  return {shape, 5, at::kCPU};
}

struct Trained {
  at::Tensor loss;
  std::vector<at::Tensor> gradients;
};

/// In FP64, where a sum over 4,096 rows in another order, as with another number of threads, differs by far
/// less than what padding that counts would add.
Trained train_on(Batch batch, Task task = Task::node_classification) {
  auto model = small_model(task);
  for (const auto& [name, parameter] : model.parameters()) parameter.set_data(parameter.to(at::kDouble));
  batch.x = batch.x.to(at::kDouble);
  const auto loss = model.losses(model.forward(batch, all_kept()), batch).total;
  loss.backward();
  Trained trained{loss.detach(), {}};
  for (const auto& [name, parameter] : model.parameters()) trained.gradients.push_back(parameter.grad());
  return trained;
}

void check_equal(const Trained& padded, const Trained& plain) {
  CHECK(at::allclose(padded.loss, plain.loss, 1e-12, 0));
  REQUIRE(padded.gradients.size() == plain.gradients.size());
  for (std::size_t i = 0; i < plain.gradients.size(); ++i) {
    const auto scale = plain.gradients[i].abs().max().item<double>();
    CHECK((padded.gradients[i] - plain.gradients[i]).abs().max().item<double>() <= 1e-9 * scale);
  }
}

TEST_CASE("padding changes neither the loss nor a gradient", "[stgym]") {
  at::manual_seed(11);
  const auto graphs = graphs_of_size({9, 4, 20});
  const PaddedBatch padded(bucket_for(graphs), graphs);
  CHECK(padded.batch().x.size(0) == 4096);
  check_equal(train_on(padded.batch()), train_on(join(graphs)));
}

TEST_CASE("padding changes neither the loss nor a gradient where graphs are labelled", "[stgym]") {
  at::manual_seed(13);
  const auto graphs = with_graph_labels(graphs_of_size({9, 4, 20}));
  const PaddedBatch padded(bucket_for(graphs), graphs);
  check_equal(train_on(padded.batch(), Task::graph_classification),
              train_on(join(graphs), Task::graph_classification));
}

TEST_CASE("a bucket that is filled again holds the new batch only", "[stgym]") {
  at::manual_seed(12);
  PaddedBatch padded(Bucket{3, 64, 64}, graphs_of_size({15, 15, 15}));
  const auto where = padded.batch().x.data_ptr();
  const auto graphs = graphs_of_size({7, 3, 11});
  padded.fill(graphs);
  CHECK(padded.batch().x.data_ptr() == where);
  check_equal(train_on(padded.batch()), train_on(join(graphs)));
}

TEST_CASE("batches of two buckets lie in the same memory, and each is right once it is filled", "[stgym]") {
  at::manual_seed(14);
  const auto few = graphs_of_size({9, 4}), many = graphs_of_size({30, 11, 5});
  const auto memory = batch_memory({3, 64, 64}, few.front());
  PaddedBatch small(Bucket{2, 32, 32}, few, memory), large(Bucket{3, 64, 64}, many, memory);
  CHECK(small.batch().x.data_ptr() == large.batch().x.data_ptr());
  CHECK(small.batch().adjacency.values().data_ptr() == large.batch().adjacency.values().data_ptr());
  check_equal(train_on(large.batch()), train_on(join(many)));
  small.fill(few);
  check_equal(train_on(small.batch()), train_on(join(few)));
  large.fill(many);
  check_equal(train_on(large.batch()), train_on(join(many)));
}

TEST_CASE("the largest bucket holds the largest graphs of a data set, as many as a batch has", "[stgym]") {
  const auto graphs = graphs_of_size({3000, 2, 4000, 5});
  CHECK(largest_bucket(graphs, 2) == smallest_bucket({2, 7000, 20}));
  CHECK(largest_bucket(graphs, 9) == smallest_bucket({9, 7007, 40}));
}

TEST_CASE("the padding's edges are spread over its nodes", "[stgym]") {
  const PaddedBatch padded(Bucket{2, 32, 64}, graphs_of_size({8, 8}));
  const auto loops = padded.batch().edges.narrow(1, 20, 44);
  CHECK(loops[0].equal(loops[1]));
  const auto at_each = at::bincount(loops[0], {}, 32);
  CHECK(at_each.narrow(0, 0, 16).sum().item<std::int64_t>() == 0);
  CHECK(at_each.narrow(0, 16, 16).max().item<std::int64_t>() <= 3);
}

TEST_CASE("a batch that leaves no room for padding does not fit its bucket", "[stgym]") {
  CHECK_THROWS(PaddedBatch(Bucket{2, 16, 64}, graphs_of_size({8, 8})));
  CHECK_THROWS(PaddedBatch(Bucket{2, 32, 8}, graphs_of_size({8, 8})));
  CHECK_THROWS(PaddedBatch(Bucket{3, 32, 64}, graphs_of_size({8, 8})));
  PaddedBatch padded(Bucket{2, 32, 64}, graphs_of_size({8, 8}));
  CHECK_THROWS(padded.fill(graphs_of_size({8})));
}

TEST_CASE("a bucket has more nodes than the batch and at least as many edges", "[stgym]") {
  CHECK(smallest_bucket({1, 0, 0}) == Bucket{1, 4096, 1024});
  CHECK(smallest_bucket({1, 4095, 1024}) == Bucket{1, 4096, 1024});
  CHECK(smallest_bucket({2, 4096, 1025}) == Bucket{2, 8192, 2048});
}

}  // namespace
