// What was measured of rows, so that a row may be known from another machine before it runs on this one.
#pragma once

#include "harness/results/results.hpp"
#include "harness/support/field.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace harness::predict {

/// What a row saved, predicted or not.
struct Known {
  std::string row;
  Json machine;         // the facts of its class
  std::string started;  // the session, ISO 8601
  double share = 0;     // saved, of the naive form's time
};

/// The facts of a class of machines.
Json machine_facts(const results::Fingerprint& fingerprint);

/// False where an option of the session changes what its rows run: such rows are like no others of their
/// name.
bool has_usual_options(const results::Session& session);

/// Those of a file's rows that came to an interval of their time; none with unusual options, none of the
/// stand-in.
std::vector<Known> known_rows(const results::Results& results);

/// The newest result of the row on a machine of another class, which is one that differs in a fact that both
/// have recorded; null where there is none.
const Known* newest_elsewhere(std::span<const Known> known, std::string_view row, const Json& machine);

/// The same as a prediction of `row` here rests on, beside its saving by counts.
std::optional<results::Elsewhere> elsewhere_of(const results::Row& row, std::span<const Known> known,
                                               const Json& machine);

/// Of each row the newest result in each class, with four digits.
Json known_to_json(std::span<const Known> known);
/// Throws BadInput, naming `file`, where it is no such list.
std::vector<Known> known_from_json(const Json& json, const std::string& file);

/// Of the rows in results/ when this was built.
std::vector<Known> shipped_rows();

}  // namespace harness::predict
