#include "workloads/stgym/data/dataset_layout.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

namespace workloads::stgym {
namespace {

void copy_values(const at::Tensor& from, void* to) {
  const auto values = from.contiguous();
  std::memcpy(to, values.const_data_ptr(), values.nbytes());
}

void copy_text(const std::string& from, std::span<char> to) {
  std::ranges::copy(from.substr(0, to.size() - 1), to.begin());
}

}  // namespace

std::size_t DatasetHead::bytes() const {
  const auto longs = graphs + 1 + labels;
  return sizeof(DatasetHead) + 8 * static_cast<std::size_t>(longs) +
         4 * static_cast<std::size_t>(nodes * (2 + features));
}

DatasetHead head_of(const Dataset& dataset) {
  DatasetHead head;
  head.nodes = dataset.nodes();
  head.features = dataset.features();
  head.graphs = dataset.graphs();
  head.labels = dataset.y.size(0);
  head.classes = dataset.classes;
  head.task = static_cast<std::int64_t>(dataset.task);
  head.rule = static_cast<std::int64_t>(dataset.rule.kind);
  head.k = dataset.rule.k;
  head.radius_ratio = dataset.rule.radius_ratio;
  head.radius = dataset.radius;
  copy_text(dataset.name, head.name);
  copy_text(dataset.source, head.source);
  return head;
}

DatasetArrays::DatasetArrays(std::byte* memory)
    : head(*reinterpret_cast<const DatasetHead*>(memory)),
      offsets(reinterpret_cast<std::int64_t*>(memory + sizeof(DatasetHead))),
      labels(offsets + head.graphs + 1),
      position(reinterpret_cast<float*>(labels + head.labels)),
      x(position + 2 * head.nodes) {}

void write_dataset(const Dataset& dataset, std::byte* memory) {
  const auto head = head_of(dataset);
  std::memcpy(memory, &head, sizeof head);
  const DatasetArrays to(memory);
  std::ranges::copy(dataset.offsets, to.offsets);
  copy_values(dataset.y, to.labels);
  copy_values(dataset.position, to.position);
  copy_values(dataset.x, to.x);
}

Dataset dataset_in(std::byte* memory) {
  const DatasetArrays from(memory);
  Dataset dataset;
  dataset.name = from.head.name;
  dataset.source = from.head.source;
  dataset.task = static_cast<Task>(from.head.task);
  dataset.classes = from.head.classes;
  dataset.rule.kind = static_cast<NeighbourRule::Kind>(from.head.rule);
  dataset.rule.k = static_cast<int>(from.head.k);
  dataset.rule.radius_ratio = from.head.radius_ratio;
  dataset.radius = from.head.radius;
  dataset.offsets.assign(from.offsets, from.offsets + from.head.graphs + 1);
  dataset.y = at::from_blob(from.labels, {from.head.labels}, at::kLong);
  dataset.position = at::from_blob(from.position, {from.head.nodes, 2}, at::kFloat);
  dataset.x = at::from_blob(from.x, {from.head.nodes, from.head.features}, at::kFloat);
  return dataset;
}

}  // namespace workloads::stgym
