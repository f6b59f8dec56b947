#include "harness/page/page.hpp"

namespace harness::page {

std::string script_json(const Json& data) {
  const auto plain = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string text;
  text.reserve(plain.size());
  for (const char c : plain) {
    if (c == '<')
      text += "\\u003c";  // outside of strings JSON has none
    else
      text += c;
  }
  return text;
}

std::string page_html(const Json& data) {
  const auto [before, behind] = page_template();
  std::string page(before);
  page += script_json(data);
  page += behind;
  return page;
}

}  // namespace harness::page
