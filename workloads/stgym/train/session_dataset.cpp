#include "workloads/stgym/train/session_dataset.hpp"

#include "harness/core/slot_order.hpp"

#include "workloads/stgym/data/require_memory.hpp"
#include "workloads/stgym/train/mapped_dataset.hpp"
#include "workloads/stgym/train/training_options.hpp"

#include <ATen/ATen.h>

#include <cstddef>
#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace workloads::stgym {
namespace {

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

/// The tensors keep the memory; the file is the session's and outlives them.
Dataset owning(const Mapping& memory, int file) {
  auto dataset = dataset_in(memory.get());
  dataset.shared_memory = file;
  for (auto* part : {&dataset.x, &dataset.y, &dataset.position})
    *part = at::from_blob(part->data_ptr(), part->sizes(), [memory](void*) {}, part->options());
  return dataset;
}

}  // namespace

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
