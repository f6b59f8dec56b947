#include "harness/pages/report.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace harness;
using namespace harness::pages;

namespace {

std::size_t count(const std::string& text, std::string_view what) {
  std::size_t found = 0;
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("no text in the data can end their element", "[page]") {
  const Json data{{"</script><script>alert(1)</script>", "<!-- <b>"}};
  const auto text = script_json(data);
  CHECK(text.find('<') == text.npos);
  CHECK(Json::parse(text) == data);
}

TEST_CASE("bytes that are no UTF-8 become replacement characters", "[page]") {
  CHECK(Json::parse(script_json(Json{{"name", "a\xff"}}))["name"] == "a\xef\xbf\xbd");
}

TEST_CASE("the page holds the data once and fetches nothing", "[page]") {
  const auto page = page_html({{"mark", "marked 7f3a"}});
  CHECK(count(page, "marked 7f3a") == 1);
  CHECK(count(page, "</script>") == 3);
  CHECK(count(page, "@data@") + count(page, "@style@") + count(page, "@scripts@") +
            count(page, "@licenses@") ==
        0);
  const auto markup = page.substr(0, page.find("<script>"));
  for (const auto* tag : {"<link", "<img", "<iframe", " src=", "@import"}) CHECK(count(markup, tag) == 0);
  CHECK(page.find("default-src 'none'") != page.npos);
}

TEST_CASE("the chart library's licenses stand in the page", "[page]") {
  const auto page = page_html(Json::object());
  for (const auto* license : {"BSD 3-Clause License", "ISC License", "MIT License", "Interactive Data Lab"})
    CHECK(page.find(license) != page.npos);
}
