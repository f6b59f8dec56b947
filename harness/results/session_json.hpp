// The session of a results file as JSON.
#pragma once

#include "harness/results/results.hpp"

namespace harness::results {

Json session_to_json(const Session& session);
/// Throws BadInput naming the field that is missing or wrong.
Session session_from_json(const Field& json);

}  // namespace harness::results
