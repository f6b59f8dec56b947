#include "prices/flags.hpp"

#include "harness/cli/near_miss.hpp"
#include "harness/setup.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

namespace prices {
namespace {

/// A flag of Google Benchmark. `value` is what stands behind the "="; where it is a list ("ns|us|ms|s"), one
/// of these.
struct Flag {
  std::string_view name;
  std::string_view value;
  std::string_view about;
};

// Those of version 1.7; what a newer one adds is handed on as well.
constexpr std::string_view formats = "console|json|csv";
constexpr std::array<Flag, 15> flags{{
    {"--benchmark_filter", "REGEX", "only rows whose names match (-REGEX: do not match)"},
    {"--benchmark_list_tests", "", "the names of the rows, unmeasured"},
    {"--benchmark_min_time", "SECONDS", "measure each row for at least so long (0.5)"},
    {"--benchmark_min_warmup_time", "SECONDS", "run each row for so long beforehand (0)"},
    {"--benchmark_repetitions", "N", "measure each row N times, with mean, median, stddev"},
    {"--benchmark_enable_random_interleaving", "BOOL", "mix the repetitions of different rows"},
    {"--benchmark_report_aggregates_only", "BOOL", "of repetitions show mean, median and so on only"},
    {"--benchmark_display_aggregates_only", "BOOL", "the same, but not in the file of --benchmark_out"},
    {"--benchmark_format", formats, "what is printed"},
    {"--benchmark_out", "FILE", "write the rows there too"},
    {"--benchmark_out_format", formats, "of that file (json)"},
    {"--benchmark_color", "auto|true|false", "colour (auto: on a terminal)"},
    {"--benchmark_counters_tabular", "BOOL", "rates in columns of their own"},
    {"--benchmark_context", "KEY=VALUE,..", "added to the context"},
    {"--benchmark_time_unit", "ns|us|ms|s", "of the times (us)"},
}};

std::vector<std::string> names() {
  std::vector<std::string> all{"--device", "--help"};
  for (const auto& flag : flags) all.emplace_back(flag.name);
  return all;
}

bool is_among(std::string_view value, std::string_view list) {
  while (!list.empty()) {
    const auto bar = list.find('|');
    if (value == list.substr(0, bar)) return true;
    list = bar == list.npos ? std::string_view{} : list.substr(bar + 1);
  }
  return false;
}

void check_value(const Flag& flag, std::string_view value) {
  const bool switches = flag.name == "--benchmark_color";  // takes yes, no, 1 and 0 as well
  if (switches || flag.value.find('|') == flag.value.npos || is_among(value, flag.value)) return;
  throw harness::BadInput(
      fmt::format("{} is one of {}, not '{}'; see tuneproof prices --help", flag.name, flag.value, value));
}

}  // namespace

std::string flags_help() {
  std::string help;
  for (const auto& flag : flags) {
    const auto left = fmt::format("{}{}{}", flag.name, flag.value.empty() ? "" : "=", flag.value);
    help += fmt::format("  {:45}{}\n", left, flag.about);
  }
  return help;
}

void check_word(const std::string& word) {
  if (!word.starts_with("-"))
    throw harness::BadInput(
        fmt::format("prices has no use for '{}': Google Benchmark's flags are written --name=value; "
                    "see tuneproof prices --help",
                    word));
  if (!word.starts_with("--benchmark_") && !word.starts_with("--v="))
    throw harness::BadInput(unknown_word(word));
  const auto equals = word.find('=');
  if (equals == std::string::npos) return;
  for (const auto& flag : flags)
    if (flag.name == std::string_view(word).substr(0, equals)) check_value(flag, word.substr(equals + 1));
}

std::string unknown_word(const std::string& word) {
  const auto equals = word.find('=');
  const auto name = word.substr(0, equals);
  const auto all = names();
  for (const auto& known : all)
    if (known == name && equals == std::string::npos)
      return fmt::format("{} needs a value, written {}=...; see tuneproof prices --help", name, name);
    else if (known == name)
      return fmt::format("{} does not take '{}'; see tuneproof prices --help", name, word.substr(equals + 1));
  const auto near = harness::did_you_mean(name, all);
  const auto rest = near.empty() ? std::string("; see tuneproof prices --help") : near;
  return fmt::format("prices has no option '{}'{}", word, rest);
}

}  // namespace prices
