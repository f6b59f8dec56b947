#include "harness/programs/plan.hpp"

#include "harness/core/parse_number.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace harness::programs {
namespace {

/// By Metric: as --metric has it, what a table calls it, and what it says of less and of more.
constexpr std::array<std::array<std::string_view, 4>, 6> metrics{
    {{"wall", "WALL TIME", "faster", "slower"},
     {"cpu", "CPU TIME", "faster", "slower"},
     {"memory", "PEAK MEMORY", "less", "more"},
     {"instructions", "INSTRUCTIONS", "less", "more"},
     {"step", "A STEP", "faster", "slower"},
     {"printed", "PRINTED", "better", "worse"}}};

constexpr auto yes = "yes";

/// Options of a plan, in both directions.
template <class Value, class Of>
using Named = std::pair<std::string_view, Value Of::*>;
constexpr Named<std::string, Plan> texts[] = {
    {"metric from", &Plan::printed}, {"same output", &Plan::same_output},
    {"within", &Plan::within},       {"shell", &Plan::shell},
    {"input", &Plan::input},         {"cleanup", &Plan::cleanup},
    {"timeout", &Plan::timeout}};
constexpr Named<bool, Plan> flags[] = {{"more is better", &Plan::more_is_better},
                                       {"ignore failure", &Plan::ignore_failure},
                                       {"gate", &Plan::gates}};
constexpr Named<std::string, Candidate> candidate_texts[] = {{"command", &Candidate::command},
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

std::string_view to_string(Metric metric) { return metrics.at(static_cast<std::size_t>(metric))[0]; }

Metric metric_from(const std::string& text) {
  const auto* const found = std::ranges::find(metrics, text, [](const auto& words) { return words[0]; });
  if (found == metrics.end())
    throw BadInput("--metric '" + text + "': expected wall, cpu, memory, instructions or step");
  return Metric(found - metrics.begin());
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
  const auto& [name, heading, less, more] = metrics.at(static_cast<std::size_t>(plan.metric));
  return {std::string(heading), std::string(less), std::string(more)};
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
