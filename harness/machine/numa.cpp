#include "harness/machine/numa.hpp"

#include "harness/core/setup.hpp"

#include <climits>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <linux/mempolicy.h>
#include <new>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace harness::inline machine {
namespace {

/// The number that the text begins with, taken off it; -1 where there is none.
int take_number(std::string_view& text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value < 0 || value >= CPU_SETSIZE) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, char sign) {
  if (!text.starts_with(sign)) return false;
  text.remove_prefix(1);
  return true;
}

double free_bytes_of(const SystemFiles& files, const std::string& folder, int id) {
  const auto lead = "Node " + std::to_string(id) + " ";
  double bytes = 0;
  for (const auto* key : {"MemFree", "Inactive(file)"}) {
    const auto kibibytes = files.field(folder + "/meminfo", lead + key).value_or("0");
    bytes += 1024 * std::strtod(kibibytes.c_str(), nullptr);
  }
  return bytes;
}

std::byte* mapped(std::size_t size) {
  void* raw = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::byte*>(raw);
}

bool moved_to(std::span<const int> cpus) noexcept {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &mask);
  return sched_setaffinity(0, sizeof mask, &mask) == 0;
}

bool bind_to(std::byte* data, std::size_t size, int node) {
  constexpr std::size_t word = sizeof(unsigned long) * CHAR_BIT;
  std::array<unsigned long, 16> mask{};
  const auto bit = static_cast<std::size_t>(node);
  if (bit >= mask.size() * word) {
    errno = EINVAL;
    return false;
  }
  mask[bit / word] = 1UL << bit % word;
  return syscall(SYS_mbind, data, size, MPOL_BIND, mask.data(), mask.size() * word, 0U) == 0;
}

}  // namespace

std::vector<int> parse_cpus(std::string_view text) {
  std::vector<int> cpus;
  do {
    const int first = take_number(text);
    const int last = take(text, '-') ? take_number(text) : first;
    if (first < 0 || last < 0) break;
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  } while (take(text, ','));
  return cpus;
}

std::vector<int> cpus_of_this_thread() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) != 0)
    throw std::system_error(errno, std::generic_category(), "asking for the processors of a thread");
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &mask)) cpus.push_back(cpu);
  return cpus;
}

void move_to(std::span<const int> cpus) {
  if (!moved_to(cpus))
    throw std::system_error(errno, std::generic_category(), "moving a thread to its processors");
}

std::vector<NumaNode> numa_nodes(const SystemFiles& files, std::span<const int> allowed) {
  const std::string all = "sys/devices/system/node";
  std::vector<NumaNode> nodes;
  for (const int id : parse_cpus(files.text(all + "/has_memory").value_or(""))) {
    const auto folder = all + "/node" + std::to_string(id);
    auto cpus = parse_cpus(files.text(folder + "/cpulist").value_or(""));
    std::erase_if(cpus, [&](int cpu) { return std::ranges::find(allowed, cpu) == allowed.end(); });
    if (!cpus.empty()) nodes.push_back({id, std::move(cpus), free_bytes_of(files, folder, id)});
  }
  return nodes;
}

std::optional<NumaNode> node_of(const SystemFiles& files, std::string bus_id,
                                std::span<const NumaNode> nodes) {
  std::ranges::transform(bus_id, bus_id.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto id = files.number("sys/bus/pci/devices/" + bus_id + "/numa_node");
  const auto node = std::ranges::find_if(nodes, [&](const NumaNode& one) { return id && one.id == *id; });
  if (nodes.size() < 2 || node == nodes.end()) return std::nullopt;
  return *node;
}

// False where the system has taken those processors away meanwhile; the thread then stays.
StayOn::~StayOn() { static_cast<void>(moved_to(before_)); }

NodeMemory::NodeMemory(int node, std::size_t size) : bytes_(mapped(size), Unmap{size}) {
  if (!bind_to(bytes_.get(), size, node))
    throw Skip("cannot put memory on a NUMA node: " + std::generic_category().message(errno));
  std::memset(bytes_.get(), 1, size);
}

void NodeMemory::Unmap::operator()(std::byte* bytes) const noexcept { munmap(bytes, size); }

}  // namespace harness::inline machine
