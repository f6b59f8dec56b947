#include "harness/trace/program_facts.hpp"

#include "harness/trace/intern.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace harness::trace {
namespace {

using nlohmann::json;

const json& part(const json& from, const char* name) {
  static const json nothing;
  const auto found = from.is_object() ? from.find(name) : from.end();
  return found == from.end() ? nothing : *found;
}

/// 0 where there is no such number, or one that nothing is counted by.
double number(const json& from, const char* name) {
  const auto& value = part(from, name);
  const double read = value.is_number() ? value.get<double>() : 0;
  return std::isfinite(read) && read > 0 ? read : 0;
}

/// 0, too, where it is more than the whole: it was measured wrong.
double part_of_one(const json& from, const char* name) {
  const double read = number(from, name);
  return read <= 1 ? read : 0;
}

std::int64_t count(const json& from, const char* name) {
  constexpr double most = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int64_t>(std::min(number(from, name), most));
}

std::string word(const json& from, const char* name) {
  const auto& value = part(from, name);
  return value.is_string() ? printable(value.get<std::string>()) : "";
}

std::optional<bool> answer(const json& from, const char* name) {
  const auto& value = part(from, name);
  return value.is_boolean() ? std::optional(value.get<bool>()) : std::nullopt;
}

std::optional<Denormals> denormals(const json& facts) {
  const auto& numbers = part(facts, "numbers");
  Denormals most{"outputs of modules", number(part(facts, "forwards"), "denormal")};
  if (!numbers.is_object() && most.share <= 0) return std::nullopt;
  for (const auto* where : {"weights", "gradients", "optimizer state"})
    if (const double share = number(part(numbers, "denormal"), where); share >= most.share)
      most = {where, share};
  return most;
}

std::optional<LoaderFacts> loader(const json& from) {
  if (!from.is_object()) return std::nullopt;
  return LoaderFacts{.workers = count(from, "workers"),
                     .batch = count(from, "batch"),
                     .threads = count(from, "threads"),
                     .load_s = number(from, "load_s"),
                     .cpu_s = number(from, "cpu_s"),
                     .start = word(from, "start")};
}

std::optional<EpochStarts> starts(const json& from) {
  if (!from.is_object()) return std::nullopt;
  return EpochStarts{count(from, "starts"), number(from, "each_s"), std::min(number(from, "share"), 1.0)};
}

json parsed(std::string_view text) { return json::parse(text, nullptr, false); }

}  // namespace

std::optional<bool> ProgramFacts::autocast_unit() const {
  if (autocast == "bfloat16") return bf16_unit;
  return autocast == "float16" ? fp16_unit : std::nullopt;
}

ProgramFacts program_facts(std::string_view text) {
  const auto facts = parsed(text);
  if (!facts.is_object()) return {};
  ProgramFacts read{.known = true,
                    .cpus = count(facts, "cpus"),
                    .threads = count(facts, "threads"),
                    .used_cpus = number(facts, "used_cpus"),
                    .held_back = part_of_one(facts, "held_back"),
                    .autocast = word(facts, "autocast"),
                    .bf16_unit = answer(part(facts, "units"), "bfloat16"),
                    .fp16_unit = answer(part(facts, "units"), "float16"),
                    .denormals = denormals(facts),
                    .fp64 = number(part(facts, "numbers"), "fp64"),
                    .parameters = count(part(facts, "numbers"), "parameters"),
                    .numel = count(part(facts, "numbers"), "numel"),
                    .calls = count(part(facts, "forwards"), "calls"),
                    .rows = count(part(facts, "forwards"), "rows"),
                    .chained = answer(part(facts, "forwards"), "chained").value_or(false),
                    .loader = loader(part(facts, "loader")),
                    .epochs = starts(part(facts, "epochs"))};
  for (const auto& step : part(facts, "epoch_steps"))
    if (step.is_number_integer()) read.epoch_steps.push_back(step.get<std::int64_t>());
  for (const auto& package : part(facts, "packages"))
    if (package.is_string()) read.packages.push_back(package.get<std::string>());
  std::ranges::sort(read.packages);
  if (const auto& step = part(facts, "cut_off"); step.is_number_integer())
    read.cut_off = step.get<std::int64_t>();
  return read;
}

std::optional<EpochStarts> epoch_starts(std::string_view text) { return starts(parsed(text)); }

std::optional<Pace> pace(std::string_view text) {
  const auto read = parsed(text);
  const auto& slow = part(read, "long");
  const Pace pace{.steps = count(read, "steps"),
                  .seconds = number(read, "seconds"),
                  .long_steps = count(slow, "steps"),
                  .long_seconds = number(slow, "seconds"),
                  .apart = count(slow, "apart")};
  return pace.steps > 0 ? std::optional(pace) : std::nullopt;
}

}  // namespace harness::trace
