#include "harness/results/stand_in.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace harness::results {
namespace {

constexpr auto gpu_of_hard = "/machine/gpu/name";
constexpr auto gpu_of_fingerprint = "/fingerprint/hard/machine/gpu/name";
constexpr auto gpu_of_results = "/tuneproof/fingerprint/hard/machine/gpu/name";
constexpr auto gpu_of_prices = "/context/gpu";

bool stands_in_at(const Json& json, const char* path) {
  const Json::json_pointer place(path);
  if (!json.is_object() || !json.contains(place)) return false;
  const auto& gpu = json.at(place);
  return gpu.is_string() && is_stand_in(gpu.get_ref<const std::string&>());
}

}  // namespace

std::string warning_line(const Style& style) { return inked(stand_in_warning, Ink::red, style) + "\n"; }

bool is_stand_in(std::string_view gpu) { return gpu.starts_with("stand-in"); }

bool on_stand_in(const Fingerprint& fingerprint) { return stands_in_at(fingerprint.hard, gpu_of_hard); }

bool on_stand_in(const Json& document) {
  for (const auto* path : {gpu_of_results, gpu_of_fingerprint, gpu_of_prices})
    if (stands_in_at(document, path)) return true;
  return false;
}

void check_stand_in(bool stands_in, StandIn policy, std::string_view file) {
  if (!stands_in) return;
  if (policy == StandIn::refuse)
    throw BadInput(fmt::format(
        "{}: was measured on the stand-in device, so its times mean nothing; add {} to use it anyway", file,
        allow_stand_in));
  fmt::print(stderr, "{}: {}\n", file, stand_in_warning);
}

}  // namespace harness::results
