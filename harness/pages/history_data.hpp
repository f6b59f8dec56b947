// What the page shows of a history: docs/report.md. The names of the fields are read by harness/pages/assets.
#pragma once

#include "harness/compare/history.hpp"
#include "harness/support/field.hpp"

namespace harness::pages {

/// {"sessions": [{"started", "commit", "machine", "software"}], "rows": [{"name", "at", "naive", "optimized",
/// "moves"}]}: `at` numbers the sessions of the two columns of seconds, and a move says at which of these the
/// new level begins, and its ratio to the old one. Machine and software are numbers of classes, from 0.
Json history_data(std::span<const compare::History::Series> all);

/// The same of a file, which is only read. Throws BadInput where it is not a history.
Json history_data(const std::filesystem::path& file);

}  // namespace harness::pages
