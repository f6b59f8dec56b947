// A results file as structs: the session, the machine and its rows. results/README.md shows one.
#pragma once

#include "harness/record/field.hpp"
#include "harness/record/fingerprint.hpp"
#include "harness/record/row.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace harness {

constexpr int results_major = 1;  // readers refuse a higher one
constexpr int results_minor = 1;  // adds optional fields only

/// One invocation of `run`.
struct Session {
  std::string id;       // uuid
  std::string started;  // ISO 8601, UTC
  std::uint64_t seed = 0;
  std::string suite;
  std::string device;
  int threads = 0;
  std::vector<int> looks;
  double alpha = 0;
  std::string units = "in-process";  // until rounds are processes of their own
  Options options;                   // of the workload
  std::string commit;  // of the program; "unknown" outside a git tree; "-dirty" behind it where edited
};

struct Results {
  Session session;
  Fingerprint fingerprint;
  std::vector<Row> rows;
};

/// The whole document: a root that Google Benchmark's readers accept, and the block `tuneproof`.
Json results_to_json(const Results& results);
/// The rows come back as those that were measured, then those that were not. Throws BadInput: `name`, the
/// field and what is wrong with it. Unknown fields are ignored.
Results results_from_json(const Json& json, const std::string& name);
/// The same from a file.
Results read_results(const std::filesystem::path& file);

/// True if the row belongs to `tuneproof.errors`: it was skipped or failed.
bool is_error(const Row& row);

}  // namespace harness
