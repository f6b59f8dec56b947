// By which columns the op table is sorted.
#include "harness/trace/op_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace harness::trace {
namespace {

constexpr std::array<std::pair<std::string_view, OpKey>, 39> key_words = {{
    {"name", OpKey::name},
    {"calls", OpKey::calls},
    {"count", OpKey::calls},
    {"self_cpu", OpKey::self_cpu},
    {"self_cpu_us", OpKey::self_cpu},
    {"self_cpu_time_total", OpKey::self_cpu},
    {"cpu_total", OpKey::cpu_total},
    {"cpu_total_us", OpKey::cpu_total},
    {"cpu_time_total", OpKey::cpu_total},
    {"cpu_time", OpKey::cpu_average},
    {"cpu_average", OpKey::cpu_average},
    {"self_cuda", OpKey::self_device},
    {"cuda_total", OpKey::device_total},
    {"cuda_average", OpKey::device_average},
    {"device_total", OpKey::device_total},
    {"device_average", OpKey::device_average},
    {"self_device", OpKey::self_device},
    {"self_device_us", OpKey::self_device},
    {"self_cuda_time_total", OpKey::self_device},
    {"self_device_time_total", OpKey::self_device},
    {"device_total_us", OpKey::device_total},
    {"cuda_time_total", OpKey::device_total},
    {"device_time_total", OpKey::device_total},
    {"cuda_time", OpKey::device_average},
    {"device_time", OpKey::device_average},
    {"self_cpu_percent", OpKey::self_cpu},
    {"cpu_total_percent", OpKey::cpu_total},
    {"self_cuda_percent", OpKey::self_device},
    {"self_device_percent", OpKey::self_device},
    {"self_cpu_memory", OpKey::self_cpu_memory},
    {"self_cpu_memory_usage", OpKey::self_cpu_memory},
    {"cpu_memory", OpKey::cpu_memory},
    {"cpu_memory_usage", OpKey::cpu_memory},
    {"self_cuda_memory", OpKey::self_device_memory},
    {"self_cuda_memory_usage", OpKey::self_device_memory},
    {"self_device_memory_usage", OpKey::self_device_memory},
    {"cuda_memory", OpKey::device_memory},
    {"cuda_memory_usage", OpKey::device_memory},
    {"device_memory_usage", OpKey::device_memory},
}};

double value(const OpRow& row, OpKey key) {
  const auto calls = static_cast<double>(std::max<std::int64_t>(row.calls, 1));
  switch (key) {
    case OpKey::name:
      return 0;
    case OpKey::calls:
      return static_cast<double>(row.calls);
    case OpKey::self_cpu:
      return row.self_cpu_us;
    case OpKey::cpu_total:
      return row.cpu_total_us;
    case OpKey::cpu_average:
      return row.cpu_total_us / calls;
    case OpKey::self_device:
      return row.self_device_us;
    case OpKey::device_total:
      return row.device_total_us;
    case OpKey::device_average:
      return row.device_total_us / calls;
    case OpKey::self_cpu_memory:
      return static_cast<double>(row.self_memory.host);
    case OpKey::cpu_memory:
      return static_cast<double>(row.memory.host);
    case OpKey::self_device_memory:
      return static_cast<double>(row.self_memory.device);
    case OpKey::device_memory:
      return static_cast<double>(row.memory.device);
  }
  return 0;
}

}  // namespace

std::optional<OpKey> op_key(std::string_view word) {
  for (const auto& [name, key] : key_words)
    if (name == word) return key;
  return std::nullopt;
}

void sort_rows(OpTable& table, OpKey key) {
  std::stable_sort(table.rows.begin(), table.rows.end(), [&](const OpRow& left, const OpRow& right) {
    const double a = value(left, key);
    const double b = value(right, key);
    return a != b ? a > b : left.name < right.name;
  });
}

}  // namespace harness::trace
