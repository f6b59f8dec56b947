#include "harness/programs/plan.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace harness::programs {
namespace {

constexpr std::array<std::string_view, 6> metric_names{"wall",         "cpu",  "memory",
                                                       "instructions", "step", "printed"};

constexpr auto yes = "yes";

/// Options of a plan, in both directions.
struct NamedText {
  std::string_view name;
  std::string Plan::* text;
};
constexpr NamedText texts[] = {{"metric from", &Plan::printed}, {"same output", &Plan::same_output},
                               {"within", &Plan::within},       {"shell", &Plan::shell},
                               {"input", &Plan::input},         {"cleanup", &Plan::cleanup},
                               {"timeout", &Plan::timeout}};
struct NamedFlag {
  std::string_view name;
  bool Plan::* flag;
};
constexpr NamedFlag flags[] = {{"more is better", &Plan::more_is_better},
                               {"ignore failure", &Plan::ignore_failure},
                               {"gate", &Plan::gates}};
struct CandidateText {
  std::string_view name;
  std::string Candidate::* text;
};
constexpr CandidateText candidate_texts[] = {{"command", &Candidate::command},
                                             {"name", &Candidate::name},
                                             {"prepare", &Candidate::prepare},
                                             {"setup", &Candidate::setup},
                                             {"per", &Candidate::per}};

std::string numbered(std::string_view name, std::size_t number) {
  return fmt::format("{} {}", name, number + 1);
}

std::string text_of(const Options& options, std::string_view name) {
  const auto found = options.find(name);
  return found == options.end() ? std::string() : found->second;
}

}  // namespace

std::string_view to_string(Metric metric) { return metric_names.at(static_cast<std::size_t>(metric)); }

Metric metric_from(const std::string& text) {
  const auto* const found = std::ranges::find(metric_names, text);
  if (found == metric_names.end())
    throw BadInput("--metric '" + text + "': expected wall, cpu, memory, instructions or step");
  return Metric(found - metric_names.begin());
}

double divisor(const Candidate& candidate) { return parse_number<double>(candidate.per).value_or(1); }

Options to_options(const Plan& plan) {
  Options options;
  options["metric"] = to_string(plan.metric);
  for (const auto& [name, text] : texts)
    if (!(plan.*text).empty()) options[std::string(name)] = plan.*text;
  for (const auto& [name, flag] : flags)
    if (plan.*flag) options[std::string(name)] = yes;
  if (plan.warmup > 0) options["warmup"] = std::to_string(plan.warmup);
  if (plan.steps > 0) options["steps"] = std::to_string(plan.steps);
  for (std::size_t i = 0; i < plan.candidates.size(); ++i)
    for (const auto& [name, text] : candidate_texts)
      if (const auto& value = plan.candidates[i].*text; !value.empty()) options[numbered(name, i)] = value;
  return options;
}

Plan plan_from(const Options& options, const std::string& file) {
  Plan plan;
  for (std::size_t i = 0; options.contains(numbered("command", i)); ++i) {
    auto& candidate = plan.candidates.emplace_back();
    for (const auto& [name, text] : candidate_texts) candidate.*text = text_of(options, numbered(name, i));
  }
  const auto warmup = parse_number<int>(options.contains("warmup") ? text_of(options, "warmup") : "0");
  const auto steps = parse_number<std::int64_t>(options.contains("steps") ? text_of(options, "steps") : "0");
  if (plan.candidates.size() < 2 || !warmup || !steps)
    throw BadInput(file +
                   ": is not a file of `tuneproof versus`; `tuneproof run --resume` goes on with others");
  const bool divided =
      std::ranges::all_of(plan.candidates, [](const Candidate& candidate) { return divisor(candidate) > 0; });
  if (*warmup < 0 || *warmup > most_warmup || *steps < 0 || !divided)
    throw BadInput(file + ": its warmup, its steps or what it divides by is no number that versus takes");
  plan.metric = metric_from(text_of(options, "metric"));
  plan.warmup = *warmup;
  plan.steps = *steps;
  for (const auto& [name, text] : texts) plan.*text = text_of(options, name);
  for (const auto& [name, flag] : flags) plan.*flag = text_of(options, name) == yes;
  return plan;
}

MetricWords words_of(const Plan& plan) {
  switch (plan.metric) {
    case Metric::wall:
      return {"WALL TIME", "faster", "slower"};
    case Metric::cpu:
      return {"CPU TIME", "faster", "slower"};
    case Metric::memory:
      return {"PEAK MEMORY", "less", "more"};
    case Metric::instructions:
      return {"INSTRUCTIONS", "less", "more"};
    case Metric::step:
      return {"A STEP", "faster", "slower"};
    case Metric::printed:
      return {"PRINTED", "better", "worse"};
  }
  return {};
}

std::string value_text(const Plan& plan, double value) {
  switch (plan.metric) {
    case Metric::memory:
      return memory_text(value);
    case Metric::instructions:
      return counted_text(value);
    case Metric::printed:
      return plain_text(parse_number<double>(fmt::format("{:.12g}", value)).value_or(value));
    default:
      return time_text(value);
  }
}

}  // namespace harness::programs
