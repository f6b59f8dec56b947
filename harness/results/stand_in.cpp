#include "harness/results/stand_in.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace harness::results {
namespace {

/// The text there; empty if there is none.
std::string_view text_at(const Json& json, const char* path) {
  const Json::json_pointer place(path);
  if (!json.is_object() || !json.contains(place)) return {};
  const auto& text = json.at(place);
  return text.is_string() ? std::string_view(text.get_ref<const std::string&>()) : std::string_view();
}

/// By the GPU, and by the driver, whose version ends with "(stand-in)", if somebody edited the GPU.
bool on_stand_in_by(const Json& hard) {
  return is_stand_in(text_at(hard, "/machine/gpu/name")) ||
         text_at(hard, "/software/driver").ends_with("(stand-in)");
}

}  // namespace

std::string warning_line(const Style& style) { return inked(stand_in_warning, Ink::red, style) + "\n"; }

bool is_stand_in(std::string_view gpu) { return gpu.starts_with("stand-in"); }

bool on_stand_in(const Fingerprint& fingerprint) { return on_stand_in_by(fingerprint.hard); }

bool on_stand_in(const Json& document) {
  if (is_stand_in(text_at(document, "/context/gpu"))) return true;
  for (const auto* path : {"/tuneproof/fingerprint/hard", "/fingerprint/hard"})
    if (const Json::json_pointer hard(path);
        document.is_object() && document.contains(hard) && on_stand_in_by(document.at(hard)))
      return true;
  return false;
}

void check_stand_in(bool stands_in, StandIn policy, std::string_view file) {
  if (!stands_in) return;
  if (policy == StandIn::refuse)
    throw BadInput(fmt::format(
        "{}: was measured on the stand-in device, so its times mean nothing; add {} to use it anyway", file,
        allow_stand_in));
  tell_lines(fmt::format("{}: {}\n", file, stand_in_warning));
}

void declare_stand_in(CLI::App& command, StandIn& policy) {
  command
      .add_flag_callback(
          std::string(allow_stand_in), [&policy] { policy = StandIn::allow; },
          "Accept results of the stand-in device (stand_in/)")
      ->group("Testing tuneproof");
}

}  // namespace harness::results
