// The page that `tuneproof report` writes: one HTML file that needs no network.
#pragma once

#include "harness/support/field.hpp"

#include <string>
#include <string_view>

namespace harness::page {

/// The page without its data, which stand between the two: harness/page/assets and the chart library,
/// embedded when the program was built (cmake/embed_page.cmake).
struct PageTemplate {
  std::string_view before;
  std::string_view behind;
};
PageTemplate page_template();

/// The whole page. Text that came from files is data within it, never markup or script.
std::string page_html(const Json& data);

/// JSON that may stand in a <script> element: without "<", so that nothing in it ends the element.
std::string script_json(const Json& data);

}  // namespace harness::page
