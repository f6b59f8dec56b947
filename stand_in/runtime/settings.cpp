#include "stand_in/runtime/settings.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace stand_in {
namespace {

std::string_view word(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view{} : value;
}

[[noreturn]] void refuse(const char* name, std::string_view value, const char* wanted) {
  std::fprintf(stderr, "stand-in: %s is \"%.*s\"; it takes %s\n", name, static_cast<int>(value.size()),
               value.data(), wanted);
  std::_Exit(2);
}

std::optional<std::uint64_t> number(const char* name) {
  const auto text = word(name);
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) refuse(name, text, "a whole number");
  return value;
}

void apply_profile(Settings& settings, std::string_view profile) {
  if (profile.empty() || profile == "refuses") return;
  if (profile == "small")
    settings.memory = std::size_t{2} << 30;
  else if (profile == "old")
    settings.major = 7, settings.minor = 5;
  else if (profile == "old70")
    settings.major = 7, settings.minor = 0;
  else if (profile == "two")
    settings.devices = 2;
  else if (profile == "busy")
    settings.busy = true;
  else
    refuse("STAND_IN_PROFILE", profile, "small, old, old70, two, busy or refuses");
}

}  // namespace

Settings read_settings() {
  Settings settings;
  const auto profile = word("STAND_IN_PROFILE");
  apply_profile(settings, profile);
  if (profile == "refuses") settings.refuse = number("STAND_IN_REFUSE").value_or(1);
  settings.memory = number("STAND_IN_MEMORY").value_or(settings.memory);
  settings.seed = number("STAND_IN_SEED");
  constexpr std::uint64_t usual_delay = 300;
  if (settings.seed) settings.delay_us = number("STAND_IN_DELAY_US").value_or(usual_delay);
  settings.lazy = !word("STAND_IN_LAZY").empty();
  settings.trace = !word("STAND_IN_TRACE").empty();
  settings.record = word("STAND_IN_RECORD");
  settings.calls = word("STAND_IN_CALLS");
  return settings;
}

}  // namespace stand_in
