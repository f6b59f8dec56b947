#include "harness/programs/next_commands.hpp"

#include "harness/trace/judged_spans.hpp"

#include <fmt/format.h>

#include <utility>

namespace harness::programs {
namespace {

constexpr std::size_t most_named = 3;

/// One of so few decided, so that one of these no longer can.
std::size_t enough_steps(const trace::Diagnosis& diagnosis) {
  return std::max<std::size_t>(20, 4 * diagnosis.steps.size());
}

/// The steps of the findings that save most, the first one of each finding first.
std::vector<std::string> steps_to_run(std::span<const trace::Diagnosis> diagnoses) {
  std::vector<std::string> steps;
  for (const auto& diagnosis : diagnoses)
    for (const auto& finding : diagnosis.findings)
      if (!finding.steps.empty() && steps.size() < most_named &&
          std::ranges::find(steps, finding.steps.front()) == steps.end())
        steps.push_back(finding.steps.front());
  return steps;
}

bool is_plain(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("-_./=,:@%+").find(c) != std::string_view::npos;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + quoted(word);
  return text;
}

}  // namespace

std::string quoted(const std::string& word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string next_commands(std::span<const trace::Diagnosis> diagnoses,
                          const std::vector<std::string>& command) {
  std::string traces;
  for (const auto& diagnosis : diagnoses) traces += " " + quoted(diagnosis.file);
  std::vector<std::pair<std::string, std::string>> rows;
  if (const auto steps = steps_to_run(diagnoses); !steps.empty()) {
    rows.emplace_back("tuneproof explain " + steps.front(), "why the tip works, and when not");
    rows.emplace_back("tuneproof run " + joined(steps), "what these tips are worth on this machine");
  }
  if (std::ranges::any_of(diagnoses, trace::deciding_step))
    rows.emplace_back(
        fmt::format("tuneproof watch --steps {} -- {}", enough_steps(diagnoses.front()), joined(command)),
        "one step decided the verdict: whether more steps agree");
  rows.emplace_back("tuneproof diagnose" + traces + " --top 40", "longer tables");
  if (diagnoses.size() == 1)
    rows.emplace_back(fmt::format("tuneproof watch --against{} -- {}", traces, joined(command)),
                      "after a change: what changed");
  const auto again = quoted(joined(command));
  rows.emplace_back(fmt::format("tuneproof versus --metric step {} {}", again, again),
                    "whether a change helps: make it in the second command");
  std::string text = "NEXT\n";
  for (const auto& [line, why] : rows) text += fmt::format("  # {}\n  {}\n", why, line);
  return text;
}

}  // namespace harness::programs
