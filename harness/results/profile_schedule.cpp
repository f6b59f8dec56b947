#include "harness/results/profile_schedule.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/core/setup.hpp"

#include <fmt/format.h>

#include <array>
#include <set>
#include <string_view>

namespace harness::results {
namespace {

constexpr int most_repeats = 100'000;

struct Part {
  std::string_view name;
  int Schedule::* value;
  int least;
};
constexpr std::array<Part, 4> parts{{{"wait", &Schedule::wait, 0},
                                     {"warmup", &Schedule::warmup, 0},
                                     {"active", &Schedule::active, 1},
                                     {"repeat", &Schedule::repeat, 1}}};

[[noreturn]] void refuse(const std::string& text, const std::string& flag, std::string_view why) {
  throw BadInput(fmt::format("{} {}: {}, as in wait=10,warmup=10,active=20,repeat=1", flag, text, why));
}

/// True if `word` is "name=number" with a number that the part may have.
bool take(std::string_view word, const Part& part, Schedule& schedule) {
  if (!word.starts_with(part.name) || word.substr(part.name.size(), 1) != "=") return false;
  const auto number = parse_number<int>(word.substr(part.name.size() + 1));
  if (!number) return false;
  schedule.*part.value = *number;
  return *number >= part.least && *number <= most_repeats;
}

}  // namespace

std::string to_string(const Schedule& schedule) {
  return fmt::format("wait={},warmup={},active={},repeat={}", schedule.wait, schedule.warmup, schedule.active,
                     schedule.repeat);
}

Schedule parse_schedule(const std::string& text, const std::string& flag, const Schedule& otherwise) {
  auto schedule = otherwise;
  std::string_view rest = text;
  std::set<std::string_view> named;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    const auto word = rest.substr(0, comma);
    bool taken = false;
    for (const auto& part : parts) taken = taken || take(word, part, schedule);
    if (!taken)
      refuse(
          text, flag,
          fmt::format("'{}' is not a part of a schedule; parts are whole numbers, active and repeat from 1",
                      word));
    if (!named.insert(word.substr(0, word.find('='))).second)
      refuse(text, flag, fmt::format("duplicate part '{}'", word.substr(0, word.find('='))));
    rest = comma == rest.npos ? std::string_view() : rest.substr(comma + 1);
  }
  return schedule;
}

}  // namespace harness::results
