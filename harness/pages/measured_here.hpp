// What was measured of a step on a machine, as the pages of `explain` show it: prices and the last result.
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/core/published.hpp"
#include "harness/results/results.hpp"

namespace harness::pages {

/// A row of the price list, without "prices/" and without what Google Benchmark adds to its name.
struct ShownPrice {
  std::string name;
  double seconds = 0;
  double bytes_per_second = 0;  // 0 where the row has no rate
};

/// Rows of a price list that were measured, in their order, and where they come from.
struct ShownPrices {
  std::string from = {};  // "prices.json, 2026-11-21T17:35:56+00:00, on vm"; empty: no file was given
  std::vector<ShownPrice> rows;
  std::string busy =
      {};  // "do not trust them: other programs took 62 % ...", which `from` has too; else empty
};

/// Reads what `tuneproof prices --benchmark_out=FILE --benchmark_out_format=json` wrote; rows that were
/// skipped or failed are left out. Throws BadInput, one sentence, for anything else.
ShownPrices read_shown_prices(const std::filesystem::path& file,
                              results::StandIn stand_in = results::StandIn::refuse);

/// The names of the rows that concern the step, by that table, separated by blanks.
std::string_view prices_named_for(std::span<const StepPrices> table, std::string_view step);
/// Those rows.
ShownPrices prices_bearing_on(const ShownPrices& all, std::span<const StepPrices> table,
                              std::string_view step);

/// The last result of a row. Of a history the ratio alone is known, and neither verdict nor times.
struct LastResult {
  std::string row = {};
  std::string from = {};     // the file
  std::string started = {};  // ISO 8601, UTC
  std::string commit = {};
  std::string machine = {};    // "AMD EPYC, 2 CPUs, no GPU"; a history knows its class only
  bool other_machine = false;  // another CPU than this machine's
  std::optional<Verdict> verdict = {};
  std::string said = {};    // the verdict in words
  std::string change = {};  // as a run's table shows it; empty: as ratio and interval say
  std::string why = {};     // what decided it or not, and its flags
  double ratio = 0;         // 0 where there is none
  std::optional<Interval> interval = {};
  std::string naive = {}, optimized = {};  // one run of each form, with its unit; empty: nothing was timed
  std::string reason = {};                 // why it was skipped or failed
};

/// "AMD EPYC, 2 CPUs, no GPU", and that it is another machine than this one where its CPU is another.
std::string machine_of(const results::Results& results);

/// The results of the step's rows in that file.
std::vector<LastResult> results_of(const results::Results& results, const std::string& file,
                                   const catalogue::Step& step);

/// Of each row the one that was started last; in the order of the step's rows.
std::vector<LastResult> latest(std::vector<LastResult> all, const catalogue::Step& step);

/// All that is known of a step on this machine.
struct MeasuredHere {
  ShownPrices prices;
  bool has_prices = true;  // some price concerns the step, be it in `prices` or not
  std::vector<LastResult> results;
  std::string looked_in;  // the files and histories that were read; empty: none was given, none was there
};

}  // namespace harness::pages
