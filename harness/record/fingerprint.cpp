#include "harness/record/fingerprint.hpp"

#include "harness/machine/host.hpp"
#include "harness/record/sha256.hpp"

namespace harness {
namespace {

/// The members of the probe that are there; the others become null, never a guess.
Json picked(const Json& probe, std::initializer_list<const char*> names) {
  Json json = Json::object();
  for (const auto* name : names) json[name] = probe.contains(name) ? probe[name] : Json(nullptr);
  return json;
}

/// The same document with the keys of every object sorted.
nlohmann::json sorted(const Json& json) { return nlohmann::json::parse(json.dump()); }

}  // namespace

Fingerprint take_fingerprint(const Json& probe, const BuildInfo& build) {
  const auto host = read_host();
  Fingerprint fingerprint;
  Json machine;
  machine["cpu_model"] = host.cpu_model;
  machine["physical_cores"] = host.physical_cores;
  machine["logical_cpus"] = host.logical_cpus;
  machine["memory_gib"] = host.memory_gib;
  machine["gpu"] = nullptr;
  if (probe.contains("gpu") && probe["gpu"].is_object())
    machine["gpu"] = picked(probe["gpu"], {"name", "compute_capability", "multiprocessors", "memory_bytes"});
  auto software = picked(probe, {"cuda_runtime", "cuda_driver", "libtorch"});
  software["compiler"] = build.compiler;
  software["flags"] = build.flags;
  software["build_type"] = build.build_type;
  fingerprint.hard = {{"machine", machine}, {"software", software}};
  fingerprint.id = fingerprint_id(fingerprint.hard);

  fingerprint.soft["kernel"] = host.kernel;
  fingerprint.soft["governor"] = host.governor.empty() ? Json(nullptr) : Json(host.governor);
  fingerprint.soft["cpus_allowed"] = host.cpus_allowed;
  fingerprint.soft["cpu_capability"] = picked(probe, {"cpu_capability"})["cpu_capability"];

  fingerprint.info["commit"] = build.commit;
  fingerprint.info["host_name"] = host.name;
  fingerprint.info["num_cpus"] = host.logical_cpus;
  fingerprint.info["mhz_per_cpu"] = host.mhz;
  fingerprint.info["cpu_scaling_enabled"] = !host.governor.empty() && host.governor != "performance";
  fingerprint.info["load_avg"] = host.load_average;
  return fingerprint;
}

std::string fingerprint_id(const Json& hard) {
  const auto digest = sha256(sorted(hard).dump());
  return digest.empty() ? std::string() : "sha256:" + digest;
}

Json fingerprint_to_json(const Fingerprint& fingerprint) {
  Json json;
  json["id"] = fingerprint.id.empty() ? Json(nullptr) : Json(fingerprint.id);
  json["hard"] = fingerprint.hard;
  json["soft"] = fingerprint.soft;
  json["info"] = fingerprint.info;
  return json;
}

Fingerprint fingerprint_from_json(const Field& json) {
  Fingerprint fingerprint;
  if (json.has("id")) fingerprint.id = json["id"].text();
  for (const auto& [name, part] :
       {std::pair{"hard", &fingerprint.hard}, {"soft", &fingerprint.soft}, {"info", &fingerprint.info}}) {
    if (!json[name].json().is_object()) json[name].reject("an object is expected");
    *part = json[name].json();
  }
  return fingerprint;
}

}  // namespace harness
