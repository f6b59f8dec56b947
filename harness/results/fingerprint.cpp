#include "harness/results/fingerprint.hpp"

#include "harness/machine/host.hpp"
#include "harness/machine/nvml.hpp"
#include "harness/support/sha256.hpp"

#include <cstdlib>
#include <gnu/libc-version.h>

namespace harness::results {
namespace {

/// The members of the probe that are there; the others become null, never a guess.
Json picked(const Json& probe, std::initializer_list<const char*> names) {
  Json json = Json::object();
  for (const auto* name : names) json[name] = probe.contains(name) ? probe[name] : Json(nullptr);
  return json;
}

/// The same document with the keys of every object sorted.
nlohmann::json sorted(const Json& json) { return nlohmann::json::parse(json.dump()); }

/// What the environment switches in CUDA and LibTorch; null where it is not set.
Json environment() {
  Json json;
  for (const auto* name :
       {"CUDA_LAUNCH_BLOCKING", "CUDA_MODULE_LOADING", "CUDA_DEVICE_MAX_CONNECTIONS", "PYTORCH_ALLOC_CONF",
        "PYTORCH_CUDA_ALLOC_CONF", "NVIDIA_TF32_OVERRIDE", "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE"}) {
    const auto* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets it
    json[name] = value == nullptr ? Json(nullptr) : Json(value);
  }
  return json;
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

unsigned watts(unsigned milliwatts) { return (milliwatts + 500) / 1000; }

/// Models, counts, memory, link and power limit. Nothing that two like machines would differ in.
Json machine_of(const Host& host, const Json& probe, const NvmlReport& nvml) {
  Json machine;
  machine["cpu_model"] = host.cpu_model;
  machine["physical_cores"] = host.physical_cores;
  machine["logical_cpus"] = host.logical_cpus;
  machine["memory_gib"] = host.memory_gib;
  machine["hypervisor"] = host.hypervisor;
  machine["gpu"] = nullptr;
  if (!probe.contains("gpu") || !probe["gpu"].is_object()) return machine;
  auto gpu = picked(probe["gpu"], {"name", "compute_capability", "multiprocessors", "memory_bytes"});
  // The library lists all GPUs of the machine; only where there is one is it surely the probed one.
  const auto state = nvml.gpus.size() == 1 ? nvml.gpus.front() : GpuState{};
  gpu["mig"] = or_null(state.mig);
  gpu["ecc"] = or_null(state.ecc);
  gpu["link_generation"] = or_null(state.link_max_generation);
  gpu["link_width"] = or_null(state.link_max_width);
  gpu["power_limit_w"] = state.power_limit_mw ? Json(watts(*state.power_limit_mw)) : Json(nullptr);
  machine["gpu"] = std::move(gpu);
  return machine;
}

Json software_of(const Json& probe, const BuildInfo& build, const NvmlReport& nvml) {
  auto software = picked(probe, {"cuda_runtime", "cuda_driver", "libtorch"});
  software["driver"] = nvml.driver.empty() ? Json(nullptr) : Json(nvml.driver);
  software["compiler"] = build.compiler;
  software["flags"] = build.flags;
  software["build_type"] = build.build_type;
  software["environment"] = environment();
  return software;
}

/// What somebody may have set otherwise since; a difference is reported and stops nothing.
Json soft_of(const Host& host, const HostSettings& settings, const NvmlReport& nvml) {
  const auto known = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  Json soft;
  soft["kernel"] = host.kernel;
  soft["glibc"] = gnu_get_libc_version();
  soft["governor"] = known(settings.governor);
  soft["turbo"] = or_null(settings.turbo);
  soft["smt"] = known(settings.smt);
  soft["huge_pages"] = known(settings.huge_pages);
  soft["cpus_allowed"] = host.cpus_allowed;
  soft["cpu_quota"] = or_null(settings.quota);
  const auto gpu = nvml.gpus.size() == 1 ? nvml.gpus.front() : GpuState{};
  soft["gpu_persistence"] = or_null(gpu.persistence);
  return soft;
}

/// Until November 2026 the power limit stood in the soft part. It moves where it stands now, so that an old
/// file is of the same class of machine as a new one.
void move_power_limit(Fingerprint& fingerprint) {
  const Json::json_pointer gpu("/machine/gpu");
  const auto limit = fingerprint.soft.find("gpu_power_limit_mw");
  if (limit == fingerprint.soft.end() || !fingerprint.hard.contains(gpu) ||
      !fingerprint.hard[gpu].is_object())
    return;
  fingerprint.hard[gpu]["power_limit_w"] =
      limit->is_number_integer() ? Json(watts(limit->get<unsigned>())) : Json(nullptr);
  fingerprint.soft.erase(limit);
  if (!fingerprint.id.empty()) fingerprint.id = fingerprint_id(fingerprint.hard);
}

std::string class_id(const Json& hard, const char* half) {
  const auto part = hard.contains(half) ? hard[half] : Json(nullptr);
  const auto id = fingerprint_id(part);
  return id.empty() ? sorted(part).dump() : id;
}

/// Every value that is not an object, by the way to it.
void flatten(const Json& json, const std::string& path, std::map<std::string, std::string>& out) {
  if (!json.is_object()) {
    out[path] = json.is_string() ? json.get<std::string>() : json.is_null() ? "none" : json.dump();
    return;
  }
  if (!path.empty()) out[path] = "some";  // a GPU against none: the fields are on one side only
  for (const auto& [name, value] : json.items()) flatten(value, path.empty() ? name : path + "." + name, out);
}

}  // namespace

Fingerprint take_fingerprint(const Json& probe, const BuildInfo& build) {
  const auto host = read_host();
  const auto nvml = read_nvml();
  Fingerprint fingerprint;
  fingerprint.hard = {{"machine", machine_of(host, probe, nvml)},
                      {"software", software_of(probe, build, nvml)}};
  fingerprint.id = fingerprint_id(fingerprint.hard);

  const auto settings = read_settings(SystemFiles());
  fingerprint.soft = soft_of(host, settings, nvml);
  fingerprint.soft["cpu_capability"] = picked(probe, {"cpu_capability"})["cpu_capability"];

  fingerprint.info["commit"] = build.commit;
  fingerprint.info["host_name"] = host.name;
  fingerprint.info["num_cpus"] = host.logical_cpus;
  fingerprint.info["mhz_per_cpu"] = host.mhz;
  fingerprint.info["cpu_scaling_enabled"] = !settings.governor.empty() && settings.governor != "performance";
  fingerprint.info["load_avg"] = host.load_average;
  fingerprint.info["gpu_uuid"] = nvml.gpus.size() == 1 ? or_null(nvml.gpus.front().uuid) : Json(nullptr);
  return fingerprint;
}

std::string fingerprint_id(const Json& hard) {
  const auto digest = sha256(sorted(hard).dump());
  return digest.empty() ? std::string() : "sha256:" + digest;
}

std::string machine_class(const Fingerprint& fingerprint) { return class_id(fingerprint.hard, "machine"); }

std::string software_class(const Fingerprint& fingerprint) { return class_id(fingerprint.hard, "software"); }

std::string place_of_prices(const Fingerprint& fingerprint) {
  return fingerprint.id.empty() ? machine_class(fingerprint) + software_class(fingerprint) : fingerprint.id;
}

Json fingerprint_to_json(const Fingerprint& fingerprint) {
  Json json;
  json["id"] = fingerprint.id.empty() ? Json(nullptr) : Json(fingerprint.id);
  json["hard"] = fingerprint.hard;
  json["soft"] = fingerprint.soft;
  json["info"] = fingerprint.info;
  return json;
}

void require_facts(const Field& hard) {
  const auto machine = hard["machine"];
  machine["cpu_model"].text();
  machine["logical_cpus"].number();
  machine["memory_gib"].number();
  if (const auto gpu = machine["gpu"]; !gpu.is_null())
    for (const auto& [name, value] : gpu.members())
      if (name == "name") value.text();
  const auto software = hard["software"];
  for (const auto* name : {"libtorch", "cuda_runtime"})
    if (const auto fact = software[name]; !fact.is_null()) fact.text();
}

Fingerprint fingerprint_from_json(const Field& json) {
  Fingerprint fingerprint;
  if (json.has("id")) fingerprint.id = json["id"].text();
  for (const auto& [name, part] :
       {std::pair{"hard", &fingerprint.hard}, {"soft", &fingerprint.soft}, {"info", &fingerprint.info}}) {
    if (!json[name].json().is_object()) json[name].reject("expected an object");
    *part = json[name].json();
  }
  for (const auto* half : {"machine", "software"})
    if (const auto hard = json["hard"]; hard.has(half)) hard[half].members();
  if (const auto info = json["info"];
      info.json().contains("resumed_on") && info["resumed_on"].texts().empty())
    info["resumed_on"].reject("expected a card");
  move_power_limit(fingerprint);
  return fingerprint;
}

std::vector<Difference> differences(const Json& base, const Json& current) {
  std::map<std::string, std::string> old_fields, new_fields;
  flatten(base, "", old_fields);
  flatten(current, "", new_fields);
  std::vector<Difference> all;
  for (const auto& [field, value] : old_fields)
    if (const auto other = new_fields.find(field); other != new_fields.end() && other->second != value)
      all.push_back({field, value, other->second});
  return all;
}

}  // namespace harness::results
