// What would pay: findings with an id, the most each could save, and the steps of this suite that treat it.
#pragma once

#include "harness/trace/evidence.hpp"
#include "harness/trace/thread_calls.hpp"

namespace harness::trace {

enum class Severity : std::uint8_t { info, low, medium, high };
std::string_view to_string(Severity severity);

/// A share of time below this is not worth a finding: the published advice calls work on a 2 % item a waste.
inline constexpr double worth_reporting = 0.02;
inline constexpr double medium_share = 0.05;
inline constexpr double high_share = 0.15;
/// An optimizer that takes as long as a forward pass, of which a step has three: itself and twice that
/// backwards.
inline constexpr double heavy_optimizer = 0.25;

struct Finding {
  std::string id;
  Severity severity = Severity::info;
  std::string message;
  double saves_us = 0;  // at most, over everything that was judged; 0: it only informs
  std::vector<std::string> steps = {};
};

/// Whose time a finding is about: a device's, or where none worked the training thread's.
enum class Whose : std::uint8_t { device, thread, either };

/// A finding that can be made: its id, what it looks for, and the steps that treat it, by name.
struct FindingKind {
  std::string_view id;
  std::string_view looks_for;
  std::span<const std::string_view> steps;
  Whose whose = Whose::device;
  bool general = false;  // names no cause; comes behind those of its severity that do

  /// True if it is looked for in a trace of that sort.
  bool in(bool of_host) const { return whose == Whose::either || (whose == Whose::thread) == of_host; }
};

/// All kinds.
std::span<const FindingKind> finding_kinds();
/// The kind with that id; nullptr where there is none.
const FindingKind* finding_kind(std::string_view id);

/// Says whether the suite has a step of that name; only those are named.
using HasStep = std::function<bool(std::string_view)>;

/// The findings by falling severity, then saving; behind them what saves less than is worth a finding. Empty
/// `has_step` names all steps.
std::vector<Finding> findings_of(const Evidence& evidence, const HasStep& has_step = {});

/// A finding of that kind with its steps and the severity of its share; nothing below worth_reporting.
std::optional<Finding> saving(const Evidence& evidence, std::string_view id, double us, std::string message);
/// The same for what saves nothing by itself, or is named whatever it saves.
Finding remark(std::string_view id, Severity severity, std::string message, double saves_us = 0);
/// A remark with the severity of its share of the time, `least` at least.
Finding mark(const Evidence& evidence, std::string_view id, double us, Severity least, std::string message,
             double saves_us = 0);

/// Each rule looks at one thing. Those of a group are in the file of that name.
using Found = std::vector<std::optional<Finding>>;
/// Of a device: findings_loading_and_copies.cpp, findings_waits.cpp, findings_launches.cpp,
/// findings_optimizer.cpp, findings_kernels.cpp.
Found input_findings(const Evidence& evidence, const ThreadCalls& calls);
Found wait_findings(const Evidence& evidence, const ThreadCalls& calls);
Found launch_findings(const Evidence& evidence);
Found optimizer_findings(const Evidence& evidence);
Found kernel_findings(const Evidence& evidence);
/// The same of a device whose work was not recorded: findings_launches.cpp.
Found unrecorded_findings(const Evidence& evidence, const ThreadCalls& calls);
/// Of a training thread where no device worked: findings_thread.cpp, findings_program.cpp.
Found thread_findings(const Evidence& evidence, const ThreadCalls& calls);
Found program_findings(const Evidence& evidence, const ThreadCalls& calls);
/// Of both: findings_habits.cpp, findings_repeated_work.cpp, findings_model.cpp, findings_collectives.cpp,
/// findings.cpp.
Found habit_findings(const Evidence& evidence, const ThreadCalls& calls);
Found repeated_work_findings(const Evidence& evidence, const ThreadCalls& calls);
Found model_findings(const Evidence& evidence, const ThreadCalls& calls);
Found collective_findings(const Evidence& evidence);

}  // namespace harness::trace
