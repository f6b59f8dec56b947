// A results file as structs: the session, the machine and its rows. measuring.md section 3.
#pragma once

#include "harness/record/row.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace harness {

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
  std::vector<Row> rows;
};

nlohmann::ordered_json row_to_json(const Row& row);
/// Throws BadInput naming the field that is missing or of the wrong type.
Row row_from_json(const nlohmann::ordered_json& json);

}  // namespace harness
