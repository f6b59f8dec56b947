#include "workloads/stgym/data/mapped_dataset.hpp"

#include "workloads/stgym/data/dataset_layout.hpp"

#include <algorithm>
#include <cstddef>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace workloads::stgym {
namespace {

using harness::Fd;

Fd make_memory(std::size_t bytes) {
  auto memory = harness::nameless_file("tuneproof-stgym");
  if (ftruncate(memory.get(), static_cast<off_t>(bytes)) != 0)
    harness::loader::throw_errno("making the shared memory of STGym's data");
  return memory;
}

Fd open_memory(const std::string& path) {
  Fd memory(open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (memory.get() < 0) harness::loader::throw_errno("opening the shared memory of STGym's data");
  return memory;
}

std::size_t size_of(const Fd& memory) { return static_cast<std::size_t>(lseek(memory.get(), 0, SEEK_END)); }

constexpr char separator = ':';

/// A length and a graph for each of so many batches of one graph: no pass takes more.
std::size_t list_numbers(std::int64_t graphs) { return 2 * static_cast<std::size_t>(graphs); }

/// A descriptor of our own of memory that holds the data set.
Fd share(const Dataset& dataset) {
  if (dataset.shared_memory >= 0) {
    Fd shared(fcntl(dataset.shared_memory, F_DUPFD_CLOEXEC, 0));
    if (shared.get() < 0) harness::loader::throw_errno("sharing STGym's data");
    return shared;
  }
  auto memory = make_memory(head_of(dataset).bytes());
  write_dataset(dataset, harness::loader::SharedBytes(memory, size_of(memory)).bytes().data());
  return memory;
}

}  // namespace

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

}  // namespace workloads::stgym
