#include "prices/nodes.hpp"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace prices {
namespace {

constexpr int most_cpus = CPU_SETSIZE;
constexpr int bind_policy = 2;  // MPOL_BIND of linux/mempolicy.h

/// The number that the text begins with, taken off it; -1 where there is none.
int take_number(std::string_view& text) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value < 0 || value >= most_cpus) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, char sign) {
  if (!text.starts_with(sign)) return false;
  text.remove_prefix(1);
  return true;
}

[[noreturn]] void fail(int error, const char* what) {
  throw std::system_error(error, std::generic_category(), what);
}

/// The system call itself: its wrapper belongs to libnuma, which is nowhere by default.
bool bind_to(std::byte* data, std::size_t size, int node) {
  constexpr std::size_t bits = 8 * sizeof(unsigned long);
  unsigned long mask[16] = {};
  if (static_cast<std::size_t>(node) >= bits * std::size(mask)) return false;
  mask[static_cast<std::size_t>(node) / bits] = 1UL << static_cast<std::size_t>(node) % bits;
  return syscall(SYS_mbind, data, size, bind_policy, mask, bits * std::size(mask), 0) == 0;
}

double free_bytes_of(const harness::SystemFiles& files, const std::string& node, int id) {
  const auto lead = "Node " + std::to_string(id) + " ";
  double bytes = 0;
  for (const auto* key : {"MemFree", "Inactive(file)"}) {
    const auto kibibytes = files.field(node + "/meminfo", lead + key).value_or("0");
    bytes += 1024 * std::strtod(kibibytes.c_str(), nullptr);
  }
  return bytes;
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

std::vector<Node> read_nodes(const harness::SystemFiles& files) {
  const std::string folder = "sys/devices/system/node";
  std::vector<Node> nodes;
  for (const auto& name : files.names(folder, "node")) {
    std::string_view digits(name);
    digits.remove_prefix(std::string_view("node").size());
    const int id = take_number(digits);
    if (id < 0 || !digits.empty()) continue;
    const auto node = folder + "/" + name;
    auto cpus = parse_cpus(files.text(node + "/cpulist").value_or(""));
    if (!cpus.empty()) nodes.push_back({id, std::move(cpus), free_bytes_of(files, node, id)});
  }
  return nodes;
}

RunOn::RunOn(const Node& node) {
  cpu_set_t wanted;
  CPU_ZERO(&wanted);
  for (const int cpu : node.cpus) CPU_SET(static_cast<std::size_t>(cpu), &wanted);
  if (sched_getaffinity(0, sizeof before_, &before_) != 0 ||
      sched_setaffinity(0, sizeof wanted, &wanted) != 0)
    fail(errno, "sched_setaffinity");
}

RunOn::~RunOn() { sched_setaffinity(0, sizeof before_, &before_); }

NodeMemory::NodeMemory(int node, std::size_t size) : size_(size) {
  void* raw = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) fail(errno, "mmap");
  data_ = static_cast<std::byte*>(raw);
  if (!bind_to(data_, size, node)) {
    const int error = errno;
    munmap(raw, size);
    fail(error, "mbind");
  }
  std::memset(raw, 1, size);
}

NodeMemory::~NodeMemory() { munmap(data_, size_); }

}  // namespace prices
