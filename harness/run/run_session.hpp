// `run --resume FILE`: an interrupted measurement goes on as if it had not been interrupted.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/probe.hpp"
#include "harness/results/results.hpp"
#include "harness/run/run_arguments.hpp"
#include "harness/run/supervisor.hpp"

namespace harness::run {

/// Throws BadInput where the file of --resume cannot be one of an interrupted session: a pipe would be waited
/// for.
void require_resumable(const std::string& file);

/// The file of an interrupted session. Throws BadInput where it cannot be read.
results::Results read_interrupted(const RunArguments& arguments);

/// The plan that the file's session was made with. `selection` has the device only.
RunPlan plan_of(const results::Results& results, const RunArguments& arguments);

/// Throws BadInput unless this machine, this software and this program are those of the file.
void require_same_place(const results::Results& results, const results::Fingerprint& here,
                        const BuildInfo& build, const std::string& file);

/// Notes in the fingerprint where a session goes on with another card of the same kind: `resumed_on` in
/// `info` lists such cards in turn. True where it did.
bool note_other_card(results::Fingerprint& fingerprint, const results::Fingerprint& here);

/// Makes the rows of a device that have no verdict yet start anew, rehearsal included: a row's rounds come
/// from one card. Returns how many had rounds.
int restart_open_rows(results::Results& results);

/// The error that a verdict may have, split over the looks (docs/measuring.md 5).
constexpr double session_alpha = 0.01;

/// The plan for a worker, without rows; `loader` is the program whose processes load data.
WorkerPlan worker_plan_of(const RunPlan& plan, const std::filesystem::path& worker,
                          const std::filesystem::path& loader);

/// What a command is going to measure, and on what.
struct Opening {
  std::string probe_text;          // the worker's answer
  Probe probe;                     // the same, read
  std::vector<results::Row> rows;  // in table order, blank, or skipped with their reason
};

/// Takes the rows that `plan` selects, asks the worker for the device, and notes in `plan` what it runs on. A
/// pattern that matches nothing is reported before anything starts. Nothing, and one sentence on stderr,
/// where the device was asked for and cannot be used. A dry run does not start LibTorch where there is no
/// driver.
std::optional<Opening> open_session(RunPlan& plan, const RunArguments& arguments,
                                    const catalogue::Program& program, const catalogue::Catalogue& catalogue);

/// Notes whether CUDA can be used. False, and one sentence on stderr, where it was asked for and cannot.
bool accept_device(Selection& selection, const RunArguments& arguments, const Probe& probe);
/// The rows in table order; those that need a device say why it cannot be used.
std::vector<results::Row> planned_rows(const catalogue::Catalogue& catalogue, const Selection& selection,
                                       const Probe& probe);

/// Rows that have nothing to compare with these options say why.
void skip_what_options_exclude(std::vector<results::Row>& rows, const Options& options,
                               const catalogue::OptionReader& reader);

/// A session of these rows that begins now.
results::Results new_results(const RunPlan& plan, std::vector<results::Row> rows,
                             results::Fingerprint fingerprint, std::string_view commit);

}  // namespace harness::run
