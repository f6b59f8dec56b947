// The facts on the page of a step: what the catalogue knows, and what was measured.
#pragma once

#include "harness/pages/step_page.hpp"

namespace harness::pages {

/// Claim, source, ids of docs/claims.md.
std::vector<PageField> claim_fields(const catalogue::Step& step);

/// What both forms must have in common, and where they run.
std::vector<PageField> form_fields(const catalogue::Step& step);

/// The prices as a table; empty where there are none. Otherwise the field says why, and how to get them.
std::vector<PageListing> price_listings(const ShownPrices& prices);
std::vector<PageField> price_fields(const ShownPrices& prices);

/// What was published and is expected, and where no result is, how to get one.
std::vector<PageField> published_fields(const catalogue::Step& step, const MeasuredHere& here);
/// The last results as a table.
std::vector<PageListing> result_listings(const catalogue::Step& step, const MeasuredHere& here);

}  // namespace harness::pages
