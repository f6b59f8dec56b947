// A built tuneproof, this one or another: what it is and can measure,
// whether two may meet in one measurement, and the processes in which
// each of them measures its rows, with what they say of their progress.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/compare/across.hpp"
#include "harness/compare/gate_session.hpp"
#include "harness/results/fingerprint.hpp"
#include "harness/run/run_output.hpp"

namespace harness::compare {

/// What the program's worker answers. `protocol` is 0 where it does not say; then no more is known of it.
struct Build {
  std::filesystem::path program;  // links followed
  std::filesystem::path worker;
  int protocol = 0;
  std::string version, commit;
  std::string probe;  // see parse_probe
  catalogue::Catalogue catalogue;
  results::Fingerprint fingerprint;
};

/// What it is asked.
struct Question {
  Device device = {};
  bool selftest_pairs = false;  // they belong to the catalogue
};

/// Asks the worker beside the program; `path` may be the folder that holds both. Throws BadInput, which
/// begins with `option`, where there is none or it does not answer.
Build ask_build(const std::filesystem::path& path, const std::string& option, const Question& question);

/// Why the two may not be compared, in sentences; empty where they may. LibTorch, CUDA, compiler and flags
/// are theirs to change where `across` says that they are the subject of the comparison; steps always are.
std::vector<std::string> refusals(const Build& base, const Build& head, const std::vector<Across>& across);

/// What of the software differs and is part of the treatment: "software.libtorch differs: 2.10 -> 2.11".
std::vector<std::string> treatments(const Build& base, const Build& head);

/// What the processes of the two programs have in common: without seed, round and rows, and each with a
/// session memory of its own, since the programs may lay theirs out differently.
struct BuildWorkers {
  std::array<run::WorkerPlan, 2> builds;                   // by ContestBuild
  std::function<double(const results::Row&)> row_seconds;  // the guess for one process

  run::WorkerPlan& of(run::ContestBuild build) { return builds.at(static_cast<std::size_t>(build)); }
  const run::WorkerPlan& of(run::ContestBuild build) const {
    return builds.at(static_cast<std::size_t>(build));
  }
};

/// True for a program of somebody's own steps: it is its own worker.
bool is_own(const Build& build);

/// Counts the rows of one build; all must outlive it.
CountRows build_counter(const BuildWorkers& build_workers, run::Progress& progress, SignalWatch& signals);

/// All must outlive it.
GateRunner build_runner(const BuildWorkers& build_workers, run::Progress& progress, SignalWatch& signals);

}  // namespace harness::compare
