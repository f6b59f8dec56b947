#include "workloads/stgym/mapped_dataset.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace workloads::stgym {
namespace {

using harness::loader::Descriptor;

/// The memory begins with this; the arrays follow in the order of Arrays.
struct Head {
  std::int64_t nodes = 0, features = 0, graphs = 0, labels = 0;
  std::int64_t task = 0, rule = 0, k = 0;
  double radius = 0;

  /// Each batch's length and its graphs, every graph at most once.
  std::int64_t list_numbers() const { return 2 * graphs; }
  std::size_t bytes() const {
    const auto longs = graphs + 1 + labels + list_numbers();
    return sizeof(Head) + 8 * static_cast<std::size_t>(longs) +
           4 * static_cast<std::size_t>(nodes * (2 + features));
  }
};

struct Arrays {
  const Head& head;
  std::int64_t *offsets, *labels, *lists;
  float *position, *x;

  explicit Arrays(std::byte* memory)
      : head(*reinterpret_cast<const Head*>(memory)),
        offsets(reinterpret_cast<std::int64_t*>(memory + sizeof(Head))),
        labels(offsets + head.graphs + 1),
        lists(labels + head.labels),
        position(reinterpret_cast<float*>(lists + head.list_numbers())),
        x(position + 2 * head.nodes) {}
};

Head head_of(const Dataset& dataset) {
  return {.nodes = dataset.nodes(),
          .features = dataset.features(),
          .graphs = dataset.graphs(),
          .labels = dataset.y.size(0),
          .task = static_cast<std::int64_t>(dataset.task),
          .rule = static_cast<std::int64_t>(dataset.rule.kind),
          .k = dataset.rule.k,
          .radius = dataset.radius};
}

Descriptor make_memory(std::size_t bytes) {
  Descriptor memory(memfd_create("tuneproof-stgym", MFD_CLOEXEC));
  if (memory.get() < 0 || ftruncate(memory.get(), static_cast<off_t>(bytes)) != 0)
    harness::loader::throw_errno("making the shared memory of STGym's data");
  return memory;
}

Descriptor open_memory(const std::string& path) {
  Descriptor memory(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (memory.get() < 0) harness::loader::throw_errno("opening the shared memory of STGym's data");
  return memory;
}

std::size_t size_of(const Descriptor& memory) {
  return static_cast<std::size_t>(lseek(memory.get(), 0, SEEK_END));
}

void copy_values(const at::Tensor& from, void* to) {
  const auto values = from.contiguous();
  std::memcpy(to, values.const_data_ptr(), values.nbytes());
}

}  // namespace

MappedDataset::MappedDataset(const Dataset& dataset)
    : memory_(make_memory(head_of(dataset).bytes())), bytes_(memory_, size_of(memory_)) {
  const auto head = head_of(dataset);
  std::memcpy(bytes_.bytes().data(), &head, sizeof head);
  const Arrays to(bytes_.bytes().data());
  std::ranges::copy(dataset.offsets, to.offsets);
  copy_values(dataset.y, to.labels);
  copy_values(dataset.position, to.position);
  copy_values(dataset.x, to.x);
}

MappedDataset::MappedDataset(const std::string& path)
    : memory_(open_memory(path)), bytes_(memory_, size_of(memory_)) {}

std::string MappedDataset::path() const {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(memory_.get());
}

Dataset MappedDataset::dataset() const {
  const Arrays from(bytes_.bytes().data());
  Dataset dataset;
  dataset.task = static_cast<Task>(from.head.task);
  dataset.rule.kind = static_cast<NeighbourRule::Kind>(from.head.rule);
  dataset.rule.k = static_cast<int>(from.head.k);
  dataset.radius = from.head.radius;
  dataset.offsets.assign(from.offsets, from.offsets + from.head.graphs + 1);
  dataset.y = at::from_blob(from.labels, {from.head.labels}, at::kLong);
  dataset.position = at::from_blob(from.position, {from.head.nodes, 2}, at::kFloat);
  dataset.x = at::from_blob(from.x, {from.head.nodes, from.head.features}, at::kFloat);
  return dataset;
}

void MappedDataset::write(const Batches& batches) const {
  const Arrays arrays(bytes_.bytes().data());
  std::size_t numbers = 0;
  for (const auto& batch : batches) numbers += 1 + batch.size();
  if (std::cmp_greater(numbers, arrays.head.list_numbers()))
    throw std::invalid_argument("a pass takes each graph at most once");
  auto* to = arrays.lists;
  for (const auto& batch : batches) {
    *to++ = std::ssize(batch);
    to = std::ranges::copy(batch, to).out;
  }
}

std::vector<std::int64_t> MappedDataset::graphs(std::int64_t batch) const {
  const auto* list = Arrays(bytes_.bytes().data()).lists;
  for (std::int64_t i = 0; i < batch; ++i) list += 1 + *list;
  return {list + 1, list + 1 + *list};
}

}  // namespace workloads::stgym
