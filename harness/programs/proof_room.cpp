#include "harness/programs/proof_room.hpp"

#include "harness/core/allot.hpp"
#include "harness/programs/command_runner.hpp"
#include "harness/programs/next_commands.hpp"
#include "harness/support/quantity.hpp"

#include <fmt/format.h>

#include <cmath>

namespace harness::programs {
namespace {

std::string option_text(std::string_view option, const std::string& value) {
  return value.empty() ? std::string() : fmt::format(" {} {}", option, quoted(value));
}

}  // namespace

double Proof::seconds(std::span<const double> others) const {
  const double runs = std::max(warmup, 1);
  const Rule rule{.looks = allotted_looks,
                  .alpha = Rule{}.alpha / static_cast<double>(others.size()),
                  .early = early_looks};
  double all = setup + runs * first;
  for (const auto other : others) {
    const auto of_each = 2 * quads_of(first, other);
    all += runs * other + first_process_look(rule, of_each) * of_each * (first + other);
  }
  return all;
}

double with_reserve(double seconds) {
  constexpr double share = 1.1, end_of_search = 1;
  return share * seconds + end_of_search;
}

std::string versus_command(const CommonArguments& arguments, std::span<const Candidate> candidates) {
  const auto& plan = arguments.plan;
  std::string text = "tuneproof versus";
  for (const auto& candidate : candidates) {
    if (!candidate.per.empty()) return {};
    text += " " + quoted(candidate.command);
  }
  text += option_text("--metric", arguments.metric) + option_text("--metric-from", plan.printed);
  if (plan.more_is_better) text += " --more-is-better";
  if (plan.steps > 0) text += fmt::format(" --steps {}", plan.steps);
  text += option_text("--same-output", plan.same_output) + option_text("--within", arguments.within);
  text += option_text("--setup", arguments.setup) + option_text("--prepare", arguments.prepare);
  text += option_text("--cleanup", plan.cleanup);
  if (plan.warmup > 0) text += fmt::format(" --warmup {}", plan.warmup);
  if (arguments.shell != CommonArguments{}.shell) text += option_text("--shell", arguments.shell);
  text += option_text("--input", plan.input);
  if (plan.timeout != Plan{}.timeout) text += option_text("--timeout", plan.timeout);
  if (plan.ignore_failure) text += " --ignore-failure";
  return text + option_text("--delta", arguments.delta) + option_text("--seed", arguments.seed) +
         option_text("--json", arguments.json);
}

std::string no_room_text(double needed, double left, double spent, const std::string& command) {
  const auto text = fmt::format(
      "The proof is not begun, since that of the best alone takes about {} at least and --budget leaves it "
      "{}; "
      "the same command with --budget {:.0f}s goes on and has room for that",
      time_text(needed), time_text(std::max(left, 0.0)), std::ceil(spent + with_reserve(needed)));
  return command.empty() ? text + ".\n"
                         : fmt::format("{}, or this proves what was found:\n  {}\n", text, command);
}

}  // namespace harness::programs
