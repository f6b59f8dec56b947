#include "harness/trace/classify.hpp"

#include <array>
#include <utility>

namespace harness::trace {
namespace {

constexpr std::array<std::string_view, 15> kind_names = {
    "cpu_op",          "user_annotation", "gpu_user_annotation",
    "runtime",         "driver",          "kernel",
    "memcpy",          "memset",          "sync",
    "python_function", "overhead",        "memory",
    "accelerator",     "profiler",        "other"};

constexpr std::array<std::pair<std::string_view, Kind>, 20> categories = {{
    {"cpu_op", Kind::cpu_op},
    {"Operator", Kind::cpu_op},
    {"kernel", Kind::kernel},
    {"Kernel", Kind::kernel},
    {"cuda_runtime", Kind::runtime},
    {"Runtime", Kind::runtime},
    {"cuda_driver", Kind::driver},
    {"gpu_memcpy", Kind::memcpy},
    {"Memcpy", Kind::memcpy},
    {"gpu_memset", Kind::memset},
    {"Memset", Kind::memset},
    {"user_annotation", Kind::user_annotation},
    {"gpu_user_annotation", Kind::gpu_user_annotation},
    {"python_function", Kind::python_function},
    {"cuda_sync", Kind::sync},
    {"overhead", Kind::overhead},
    {"Trace", Kind::profiler},
    {"mtia_ccp_events", Kind::accelerator},
    {"hpu_op", Kind::accelerator},
    {"privateuse1_kernel", Kind::accelerator},
}};

struct Route {
  std::string_view word;
  Direction direction;
};
constexpr std::array<Route, 10> routes = {{
    {"HtoD", Direction::host_to_device},
    {"DtoH", Direction::device_to_host},
    {"DtoD", Direction::device_to_device},
    {"HtoH", Direction::host_to_host},
    {"PtoP", Direction::peer},
    {"HostToDevice", Direction::host_to_device},
    {"DeviceToHost", Direction::device_to_host},
    {"DeviceToDevice", Direction::device_to_device},
    {"HostToHost", Direction::host_to_host},
    {"PeerToPeer", Direction::peer},
}};

}  // namespace

Kind kind_of(std::string_view category) {
  for (const auto& [word, kind] : categories)
    if (word == category) return kind;
  if (category.ends_with("_runtime")) return Kind::runtime;
  if (category.ends_with("_driver")) return Kind::driver;
  return Kind::other;
}

CopyRoute route_of(std::string_view name) {
  CopyRoute route;
  for (const auto& [word, direction] : routes) {
    if (name.find(word) == std::string_view::npos) continue;
    route.direction = direction;
    break;
  }
  if (name.find("Pageable") != std::string_view::npos) route.host_memory = HostMemory::pageable;
  if (name.find("Pinned") != std::string_view::npos) route.host_memory = HostMemory::pinned;
  return route;
}

bool on_device(Kind kind) {
  return kind == Kind::kernel || kind == Kind::memcpy || kind == Kind::memset || kind == Kind::accelerator;
}

std::string_view to_string(Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

std::string_view to_string(Direction direction) {
  switch (direction) {
    case Direction::none:
      return "none";
    case Direction::host_to_device:
      return "HtoD";
    case Direction::device_to_host:
      return "DtoH";
    case Direction::device_to_device:
      return "DtoD";
    case Direction::host_to_host:
      return "HtoH";
    case Direction::peer:
      return "PtoP";
  }
  return "";
}

std::string_view to_string(HostMemory memory) {
  switch (memory) {
    case HostMemory::unknown:
      return "unknown";
    case HostMemory::pageable:
      return "pageable";
    case HostMemory::pinned:
      return "pinned";
  }
  return "";
}

}  // namespace harness::trace
