#include "workloads/stgym/mapped_dataset.hpp"

#include "workloads/stgym/dataset_layout.hpp"

#include <algorithm>
#include <cstddef>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace workloads::stgym {
namespace {

using harness::loader::Descriptor;

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

}  // namespace

MappedDataset::MappedDataset(const Dataset& dataset)
    : memory_(make_memory(head_of(dataset).bytes())), bytes_(memory_, size_of(memory_)) {
  write_dataset(dataset, bytes_.bytes().data());
}

MappedDataset::MappedDataset(const std::string& path)
    : memory_(open_memory(path)), bytes_(memory_, size_of(memory_)) {}

std::string MappedDataset::path() const {
  return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(memory_.get());
}

Dataset MappedDataset::dataset() const { return dataset_in(bytes_.bytes().data()); }

void MappedDataset::write(const Batches& batches) const {
  const DatasetArrays arrays(bytes_.bytes().data());
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
  const auto* list = DatasetArrays(bytes_.bytes().data()).lists;
  for (std::int64_t i = 0; i < batch; ++i) list += 1 + *list;
  return {list + 1, list + 1 + *list};
}

}  // namespace workloads::stgym
