#include "workloads/stgym/train/mapped_dataset.hpp"

#include "harness/core/slot_order.hpp"

#include "workloads/stgym/train/training_options.hpp"

#include <ATen/ATen.h>

#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace workloads::stgym {
namespace {

void copy_values(const at::Tensor& from, void* to) {
  const auto values = from.contiguous();
  std::memcpy(to, values.const_data_ptr(), values.nbytes());
}

void copy_text(const std::string& from, std::span<char> to) {
  std::ranges::copy(from.substr(0, to.size() - 1), to.begin());
}

using harness::Fd;

Fd make_memory(std::size_t bytes) {
  auto memory = harness::nameless_file("tuneproof-stgym");
  if (ftruncate(memory.get(), static_cast<off_t>(bytes)) != 0)
    harness::throw_errno("making the shared memory of STGym's data");
  return memory;
}

Fd open_memory(const std::string& path) {
  Fd memory(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (memory.get() < 0) harness::throw_errno("opening the shared memory of STGym's data");
  return memory;
}

std::size_t size_of(const Fd& memory) { return static_cast<std::size_t>(lseek(memory.get(), 0, SEEK_END)); }

constexpr char separator = ':';

/// A length and a graph for each of so many batches of one graph: no pass takes more.
std::size_t list_numbers(std::int64_t graphs) { return 2 * static_cast<std::size_t>(graphs); }

/// Views of the arrays behind a head.
struct DatasetArrays {
  explicit DatasetArrays(std::byte* memory);

  const DatasetHead& head;
  std::int64_t *offsets, *labels;
  float *position, *x;
};

/// Copies head and arrays of a data set that lies on the host; `memory` has head_of(dataset).bytes().
void write_dataset(const Dataset& dataset, std::byte* memory) {
  const auto head = head_of(dataset);
  std::memcpy(memory, &head, sizeof head);
  const DatasetArrays to(memory);
  std::ranges::copy(dataset.offsets, to.offsets);
  copy_values(dataset.y, to.labels);
  copy_values(dataset.position, to.position);
  copy_values(dataset.x, to.x);
}

/// A descriptor of our own of memory that holds the data set.
Fd share(const Dataset& dataset) {
  if (dataset.shared_memory >= 0) {
    Fd shared(fcntl(dataset.shared_memory, F_DUPFD_CLOEXEC, 0));
    if (shared.get() < 0) harness::throw_errno("sharing STGym's data");
    return shared;
  }
  auto memory = make_memory(head_of(dataset).bytes());
  write_dataset(dataset, harness::SharedBytes(memory, size_of(memory)).bytes().data());
  return memory;
}

using harness::Options;
using harness::row_seed;
using harness::Setup;
using harness::Skip;

using Mapping = std::shared_ptr<std::byte>;

/// The whole file; nothing where it cannot be mapped.
Mapping map(int file, std::size_t bytes, int protection, int flags) {
  void* raw = mmap(nullptr, bytes, protection, MAP_SHARED | flags, file, 0);
  if (raw == MAP_FAILED) return nullptr;
  return {static_cast<std::byte*>(raw), [bytes](std::byte* memory) { munmap(memory, bytes); }};
}

std::uint64_t key_of(const Options& options, std::uint64_t seed) {
  std::string text = "stgym/dataset";
  for (const auto& [name, value] : options) text += "\n" + name + "=" + value;
  return row_seed(seed, text);
}

/// What an earlier process has left, if it is whole and of this key. Its pages are there at once
/// (MAP_POPULATE), so that no slot pays for them, and cannot be written: no round changes what the next one
/// reads.
Mapping written_before(int file, std::uint64_t key) {
  struct stat found{};
  if (fstat(file, &found) != 0) return nullptr;
  const auto bytes = static_cast<std::size_t>(found.st_size);
  if (bytes < sizeof(DatasetHead)) return nullptr;
  auto memory = map(file, bytes, PROT_READ, MAP_POPULATE);
  if (!memory) return nullptr;
  const auto& head = *reinterpret_cast<const DatasetHead*>(memory.get());
  return head.written == 1 && head.key == key && head.bytes() == bytes ? memory : nullptr;
}

/// True if the memory holds another data set, which must stay.
bool taken(int file) {
  DatasetHead head;
  return pread(file, &head, sizeof head, 0) == ssize_t{sizeof head} && head.written == 1;
}

bool enough_memory(std::size_t bytes) {
  try {
    require_memory(bytes);
    return true;
  } catch (const Skip&) {
    return false;
  }
}

/// `written` comes last: a process that dies before leaves nothing that would be taken for a data set.
void keep(const Dataset& dataset, int file, std::uint64_t key) {
  const auto bytes = head_of(dataset).bytes();
  if (taken(file) || !enough_memory(bytes) || posix_fallocate(file, 0, static_cast<off_t>(bytes)) != 0)
    return;
  if (ftruncate(file, static_cast<off_t>(bytes)) != 0) return;
  const auto memory = map(file, bytes, PROT_READ | PROT_WRITE, 0);
  if (!memory) return;
  write_dataset(dataset, memory.get());
  auto& head = *reinterpret_cast<DatasetHead*>(memory.get());
  head.key = key;
  head.written = 1;
}

/// Views of memory that was written so; valid as long as the memory.
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

/// The tensors keep the memory; the file is the session's and outlives them.
Dataset owning(const Mapping& memory, int file) {
  auto dataset = dataset_in(memory.get());
  dataset.shared_memory = file;
  for (auto* part : {&dataset.x, &dataset.y, &dataset.position})
    *part = at::from_blob(part->data_ptr(), part->sizes(), [memory](void*) {}, part->options());
  return dataset;
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

MappedDataset::MappedDataset(const Dataset& dataset)
    : data_(share(dataset)),
      lists_(make_memory(list_numbers(dataset.graphs()) * sizeof(std::int64_t))),
      mapped_lists_(lists_, size_of(lists_)) {}

MappedDataset::MappedDataset(const std::string& path)
    : data_(open_memory(path.substr(0, path.find(separator)))),
      lists_(open_memory(path.substr(path.find(separator) + 1))),
      mapped_(std::in_place, data_, size_of(data_)),
      mapped_lists_(lists_, size_of(lists_)) {}

std::string MappedDataset::path() const {
  const auto folder = "/proc/" + std::to_string(getpid()) + "/fd/";
  return folder + std::to_string(data_.get()) + separator + folder + std::to_string(lists_.get());
}

Dataset MappedDataset::dataset() const { return dataset_in(mapped_.value().bytes().data()); }

std::span<std::int64_t> MappedDataset::lists() const {
  const auto bytes = mapped_lists_.bytes();
  return {reinterpret_cast<std::int64_t*>(bytes.data()), bytes.size() / sizeof(std::int64_t)};
}

void MappedDataset::write(const Batches& batches) const {
  std::size_t numbers = 0;
  for (const auto& batch : batches) numbers += 1 + batch.size();
  if (numbers > lists().size()) throw std::invalid_argument("a pass takes each graph at most once");
  auto* to = lists().data();
  for (const auto& batch : batches) {
    *to++ = std::ssize(batch);
    to = std::ranges::copy(batch, to).out;
  }
}

std::vector<std::int64_t> MappedDataset::graphs(std::int64_t batch) const {
  const auto* list = lists().data();
  for (std::int64_t i = 0; i < batch; ++i) list += 1 + *list;
  return {list + 1, list + 1 + *list};
}

Dataset session_dataset(const Setup& setup) {
  const auto options = data_options(setup.options, setup.device);
  if (setup.session_memory < 0) return load_dataset(options, setup.seed);
  const auto key = key_of(options, setup.seed);
  const auto file = setup.session_memory;
  if (const auto memory = written_before(file, key)) return owning(memory, file);
  auto dataset = load_dataset(options, setup.seed);
  keep(dataset, file, key);
  // The first process, too, holds the data once.
  if (const auto memory = written_before(file, key)) return owning(memory, file);
  return dataset;
}

}  // namespace workloads::stgym
