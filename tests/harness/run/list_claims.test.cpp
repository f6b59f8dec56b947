#include "tests/harness/catalogue/made_up_catalogue.hpp"

#include "harness/run/list.hpp"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

using namespace harness;
using namespace harness::catalogue;
using namespace harness::run;

namespace {

constexpr Claim others[] = {{"c", ClaimFate::refused, "no such form in C++"},
                            {"d", ClaimFate::finding, "diagnose: warm_up"}};

Catalogue two_steps() {
  Catalogue catalogue;
  catalogue.steps.resize(2);
  catalogue.steps[0].id = "sync/one";
  catalogue.steps[0].claim_ids = "a b";
  catalogue.steps[1].id = "sync/two";
  catalogue.steps[1].claim_ids = "b";
  return catalogue;
}

}  // namespace

TEST_CASE("a claim that two steps cover is listed once, with both", "[list_claims]") {
  CHECK(claim_lines(two_steps(), others, {}) ==
        std::vector<ClaimLine>{{"a", "step", "sync/one"},
                               {"b", "step", "sync/one, sync/two"},
                               {"c", "refused", "no such form in C++"},
                               {"d", "finding", "diagnose: warm_up"}});
}

TEST_CASE("claims of one fate stand alone", "[list_claims]") {
  CHECK(claim_lines(two_steps(), others, ClaimFate::refused) ==
        std::vector<ClaimLine>{{"c", "refused", "no such form in C++"}});
  CHECK(claim_lines(two_steps(), others, ClaimFate::planned).empty());
}

TEST_CASE("where no claim is planned, the list says what has become of all", "[list_claims]") {
  CHECK(claims_text({}, {.columns = 80}) ==
        "No claim is only planned: each is a step, a finding, or refused (--claims).\n");
}

TEST_CASE("the list of claims ends with their sum", "[list_claims]") {
  const auto text = claims_text(claim_lines(two_steps(), others, {}), {.columns = 80});
  CHECK(text.ends_with("\n4 claims: 1 finding, 1 refused, 2 step.\n"));
}
