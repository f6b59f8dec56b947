#include "workloads/stgym/train/resident_graphs.hpp"

#include "workloads/stgym/model/neighbour_sum_kernels.hpp"
#include "workloads/stgym/space/pool_fused_limits.hpp"
#include "workloads/stgym/space/shipped.hpp"
#include "workloads/stgym/train/graph_learner.hpp"
#include "workloads/stgym/train/row_numbers_kernels.hpp"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>

#include <iterator>

namespace workloads::stgym {
namespace {

/// All graphs' entries, one graph's rows behind the other's, as compressed rows.
ResidentNeighbours compressed(const Dataset& dataset, const Neighbourhoods& built) {
  std::vector<at::Tensor> places, weights;
  for (std::size_t graph = 0; graph < built.size(); ++graph) {
    places.push_back(built[graph].adjacency.indices() + dataset.offsets[graph]);
    weights.push_back(built[graph].adjacency.values());
  }
  const auto place = at::cat(places, 1);
  const auto n = dataset.nodes();
  const auto whole = at::sparse_coo_tensor(place, at::cat(weights), {n, n}).coalesce();
  const auto back = whole.t().coalesce();
  TORCH_CHECK(whole.indices().equal(back.indices()) && whole.values().equal(back.values()),
              "an edge has no edge back");
  ResidentNeighbours out;
  out.begin = at::searchsorted(whole.indices()[0].contiguous(), at::arange(n + 1, place.options()));
  out.end = whole.indices()[1].contiguous();
  out.weight = whole.values().contiguous();
  out.degree = at::zeros({n}, out.weight.options()).index_add_(0, whole.indices()[0], out.weight);
  return out;
}

GraphTable table_of(const Dataset& dataset, const std::vector<std::int64_t>& graphs) {
  TORCH_CHECK(std::ssize(graphs) <= most_listed_graphs, "more graphs than a launch can list");
  GraphTable table;
  table.graphs = static_cast<int>(graphs.size());
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    table.first[i] = dataset.offsets[static_cast<std::size_t>(graphs[i])];
    table.begin[i + 1] = table.begin[i] + dataset.nodes(graphs[i]);
  }
  return table;
}

/// The rungs that rows_in_place stands on are there, and what excludes it is not.
bool can_read_rows(const Switches& switches) {
  return switches.rows_in_place && switches.graph_once && switches.project_first &&
         switches.no_unread_graph && switches.fused_pooling && !switches.bf16 && !switches.prefetch;
}

bool rows_fit(const ModelShape& shape, std::int64_t numbers_of_a_load) {
  return shape.clusters <= most_clusters && shape.hidden <= most_summed_width &&
         shape.hidden % numbers_of_a_load == 0 && shape.features % numbers_of_a_load == 0;
}

}  // namespace

bool reads_rows(const Dataset& dataset, const Switches& switches, const space::Configuration& configuration,
                std::int64_t batch_size) {
  return can_read_rows(switches) && space::has_published_shape(configuration) && dataset.x.is_cuda() &&
         dataset.task == Task::node_classification && batch_size <= most_listed_graphs &&
         rows_fit(published_shape(configuration, dataset), switches.bf16_rows ? 8 : 4);
}

ResidentGraphs::ResidentGraphs(std::shared_ptr<const Dataset> dataset, const Neighbourhoods& built)
    : dataset_(std::move(dataset)),
      neighbours_(std::make_shared<const ResidentNeighbours>(compressed(*dataset_, built))) {}

std::int64_t ResidentGraphs::nodes(const std::vector<std::int64_t>& graphs) const {
  std::int64_t sum = 0;
  for (const auto graph : graphs) sum += dataset_->nodes(graph);
  return sum;
}

Batch ResidentGraphs::batch(const std::vector<std::int64_t>& graphs) const {
  return padded(graphs, nodes(graphs));
}

Batch ResidentGraphs::padded(const std::vector<std::int64_t>& graphs, std::int64_t nodes) const {
  const auto integers = dataset_->y.options();
  Batch batch;
  batch.x = dataset_->x;
  batch.y = at::empty({nodes}, integers);
  batch.rows = at::empty({nodes}, integers);
  batch.offsets = at::empty({std::ssize(graphs) + 1}, integers);
  batch.degree = at::empty({nodes}, neighbours_->degree.options());
  batch.neighbours = neighbours_;
  for (const auto graph : graphs) batch.sizes.push_back(dataset_->nodes(graph));
  fill(batch, graphs);
  return batch;
}

void ResidentGraphs::fill(const Batch& batch, const std::vector<std::int64_t>& graphs) const {
  TORCH_CHECK(std::ssize(graphs) + 1 == batch.offsets.size(0), "the batch is of another number of graphs");
  TORCH_CHECK(nodes(graphs) <= batch.rows.size(0), "the graphs have more nodes than there is room for");
  RowNumbers args;
  args.table = table_of(*dataset_, graphs);
  args.nodes = batch.rows.size(0);
  args.labels = dataset_->y.const_data_ptr<std::int64_t>();
  args.degree = neighbours_->degree.const_data_ptr<float>();
  args.rows = batch.rows.data_ptr<std::int64_t>();
  args.y = batch.y.data_ptr<std::int64_t>();
  args.own_degree = batch.degree.data_ptr<float>();
  args.offsets = batch.offsets.data_ptr<std::int64_t>();
  launch_row_numbers(args, c10::cuda::getCurrentCUDAStream());
}

std::shared_ptr<const ResidentGraphs> resident_graphs(const GraphsByNumber& graphs, const Switches& switches,
                                                      const space::Configuration& configuration,
                                                      std::int64_t batch_size) {
  if (!reads_rows(*graphs.dataset, switches, configuration, batch_size)) return nullptr;
  return std::make_shared<const ResidentGraphs>(graphs.dataset, *graphs.built);
}

}  // namespace workloads::stgym
