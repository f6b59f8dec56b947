#include "harness/results/machine_name.hpp"

#include <fmt/format.h>

namespace harness::results {
namespace {

std::string text(const Json& in, const char* name) {
  if (!in.is_object()) return {};
  const auto found = in.find(name);
  return found != in.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

std::string cpu_name(const Json& machine) {
  const auto model = text(machine, "cpu_model");
  if (model.empty()) return "unknown";
  const auto cores = machine.find("physical_cores");
  if (cores == machine.end() || !cores->is_number_integer()) return model;
  return fmt::format("{} ({} {})", model, cores->get<int>(), *cores == 1 ? "core" : "cores");
}

std::string gpu_name(const Json& machine) {
  if (!machine.is_object()) return {};
  const auto gpu = machine.find("gpu");
  return gpu == machine.end() ? std::string() : text(*gpu, "name");
}

}  // namespace harness::results
