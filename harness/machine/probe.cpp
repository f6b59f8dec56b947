#include "harness/machine/probe.hpp"

#include "harness/support/text.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace harness::inline machine {
namespace {

using ProbeJson = nlohmann::json;

constexpr std::array<std::pair<CudaStatus, std::string_view>, 6> names{{
    {CudaStatus::ok, "ok"},
    {CudaStatus::no_device, "no device"},
    {CudaStatus::driver_too_old, "driver too old"},
    {CudaStatus::architecture_not_built, "architecture not built"},
    {CudaStatus::failed, "failed"},
    {CudaStatus::no_worker, "no worker"},
}};

CudaStatus status_from(const std::string& text) {
  for (const auto& [status, name] : names)
    if (name == text) return status;
  return CudaStatus::failed;
}

/// The member as text that can be printed, whatever the worker is; empty where it is missing or null.
std::string text_of(const ProbeJson& json, const char* name) {
  if (!json.is_object()) return {};
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? printable(found->get<std::string>()) : std::string();
}

ProbeJson member(const ProbeJson& json, const char* name) {
  return json.is_object() && json.contains(name) ? json[name] : ProbeJson();
}

}  // namespace

std::string_view to_string(CudaStatus status) {
  for (const auto& [value, name] : names)
    if (value == status) return name;
  return "?";
}

Probe parse_probe(std::string_view text) {
  const auto json = ProbeJson::parse(text, nullptr, false);
  if (!json.is_object() || !member(json, "cuda").is_object())
    return {.status = CudaStatus::no_worker, .message = "cannot read the worker's answer"};
  const auto cuda = member(json, "cuda");
  const auto gpu = member(json, "gpu");
  return {.status = status_from(text_of(cuda, "status")),
          .message = text_of(cuda, "message"),
          .cuda_runtime = text_of(json, "cuda_runtime"),
          .cuda_driver = text_of(json, "cuda_driver"),
          .libtorch = text_of(json, "libtorch"),
          .cpu_capability = text_of(json, "cpu_capability"),
          .gpu_name = text_of(gpu, "name"),
          .compute_capability = text_of(gpu, "compute_capability")};
}

}  // namespace harness::inline machine
