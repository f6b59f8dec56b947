// A results file as structs: the session, the machine and its rows. results/README.md shows one.
#pragma once

#include "harness/results/fingerprint.hpp"
#include "harness/results/row.hpp"
#include "harness/results/stand_in.hpp"
#include "harness/support/field.hpp"

namespace harness::results {

/// One invocation of `run`.
struct Session {
  std::string id;               // uuid
  std::string started;          // ISO 8601, UTC
  std::uint64_t seed = 0;       // of the order
  std::uint64_t data_seed = 0;  // of made-up data; before 1.5 the same
  std::string suite;
  std::string device;
  int threads = 0;
  std::vector<int> looks;
  std::vector<int> early = {};  // looks before them, for what is plain; empty before 1.10
  bool allotted = false;        // rounds go where they help; else every open row takes each round
  double alpha = 0;
  std::string units = "fresh-process";  // "in-process": one process for all units of a row, before 1.2
  int pairs = 1;                        // crossed pairs of a row in a round
  bool pairs_by_share =
      false;  // a row on a device takes more of them, by the share of its rounds that is timed
  std::optional<double> rehearsal_other_cpu = {};  // as Round::other_cpu; empty before 1.13, too
  std::vector<std::string> rows;                   // all that were planned, in table order; empty before 1.2
  Options options;                                 // of the workload
  std::string commit;  // of the program; "unknown" outside a git tree; "-dirty" behind it where edited
};

/// The rounds after which a verdict may fall first.
inline int first_look(const Session& session) {
  return session.early.empty() ? session.looks.front() : session.early.front();
}

struct Results {
  Session session;
  Fingerprint fingerprint;
  std::vector<Round> rounds;  // those that were finished
  std::vector<Row> rows;
  std::string file = {};  // that it was read from

  std::map<std::string_view, const Row*> by_name() const;
};

/// The whole document: a root that Google Benchmark's readers accept, and the block `tuneproof`.
Json results_to_json(const Results& results);
/// True for the document of a `run`: prices, self-tests and schemas may lie beside them in a folder.
bool is_results(const Json& json);
/// Reads every minor version of the schema, those before rounds were processes included. The rows come back
/// in the order of `session.rows`, or those that were measured first. Throws BadInput: `name`, the field and
/// what is wrong with it. Unknown fields are ignored.
Results results_from_json(const Json& json, const std::string& name);
/// The same from a file. One that was measured on the stand-in is refused unless that is allowed.
Results read_results(const std::filesystem::path& file, StandIn stand_in = StandIn::refuse);

/// Says on standard error where a command's results are.
void tell_results_file(const std::filesystem::path& file);

/// True if the row belongs to `tuneproof.errors`: it was skipped or failed.
bool is_error(const Row& row);

}  // namespace harness::results
