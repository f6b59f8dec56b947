// A diagnosis on the terminal and as JSON.
#pragma once

#include "harness/support/terminal.hpp"
#include "harness/trace/compare_traces.hpp"
#include "harness/trace/diagnosis.hpp"
#include "harness/trace/ranks.hpp"

#include <nlohmann/json_fwd.hpp>

namespace harness::trace {

/// How much is shown.
struct Showing {
  std::size_t top = 10;                // rows of each table
  OpKey sort = op_key("self_cpu");     // of the op table
  std::vector<std::string> only = {};  // names of report_parts(); empty: all
};

/// What a report is made of, in its order: "verdict", "time", "findings", "steps", "device", "host",
/// "phases", "kernels", "operators".
std::vector<std::string> report_parts();

/// The report of one trace: its title, and all parts or those that are asked for.
std::string diagnosis_text(const Diagnosis& diagnosis, const Showing& showing, const Style& style);

/// Its parts, each with its heading; empty where the trace has nothing of the sort.
std::string title_text(const Diagnosis& diagnosis, const Style& style);
std::string verdict_section(const Diagnosis& diagnosis, const Style& style);
std::string findings_section(std::span<const Finding> findings, const Diagnosis& diagnosis,
                             const Style& style);
std::string steps_section(const Diagnosis& diagnosis, const Style& style);
std::string device_section(const Diagnosis& diagnosis, const Style& style);
std::string host_section(const Diagnosis& diagnosis, const Showing& showing, const Style& style);
std::string phases_section(const Diagnosis& diagnosis, const Showing& showing, const Style& style);
std::string kernels_section(const Diagnosis& diagnosis, const Showing& showing, const Style& style);
std::string ops_section(const Diagnosis& diagnosis, const Showing& showing, const Style& style);

/// What a PyTorch user would type against a finding: the lines of docs/in_python that the first of its steps
/// which has some changes; empty where there are none, and where the steps show what the trace does already.
std::string python_advice(const Finding& finding, const Style& style);

/// Several ranks beside each other, with the verdict over all.
std::string ranks_section(const RankSummary& summary, const RegimeVerdict& verdict, const Style& style);

/// What `--against` prints.
std::string changes_text(const TraceChanges& changes, const Diagnosis& after, const Diagnosis& before,
                         const Showing& showing, const Style& style);

/// The schema is in docs/diagnose.md. One or several ranks.
nlohmann::ordered_json diagnosis_json(std::span<const Diagnosis> diagnoses);
nlohmann::ordered_json changes_json(const TraceChanges& changes, const Diagnosis& after,
                                    const Diagnosis& before);

}  // namespace harness::trace
