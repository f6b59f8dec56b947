// The page of a step for a person, and as Markdown.
#include "harness/support/text.hpp"
#include "harness/teach/step_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace harness::teach {
namespace {

constexpr int field_columns = 13;

std::string field_text(std::string_view name, std::string_view text, const Style& style) {
  const auto lines = indented(name, text, field_columns, style);
  return inked(name, Ink::bold, style) + lines.substr(name.size());
}

std::string fields_text(const std::vector<PageField>& fields, const Style& style) {
  std::string out;
  std::string_view before;
  for (const auto& field : fields) {
    out += field_text(field.name == before ? std::string_view() : field.name, field.text, style);
    before = field.name;
  }
  return out;
}

/// One empty line between what is not empty.
void add_block(std::string& out, const std::string& block) {
  if (!block.empty()) out.append("\n").append(block);
}

/// A longer title is wrapped; the lines below it stay as they are.
std::string listing_text(const PageListing& listing, const Style& style) {
  std::string out;
  for (const auto& line : wrap(listing.title, style.columns)) out += line + "\n";
  return out + "\n" + listing.text;
}

std::string markdown_fields(const std::vector<PageField>& fields) {
  std::string out;
  for (const auto& field : fields) out += fmt::format("- **{}:** {}\n", field.name, field.text);
  return out;
}

std::string markdown_part(const PagePart& part) {
  std::string out = fmt::format("\n## {}\n", part.heading);
  add_block(out, part.prose.empty() ? std::string() : part.prose + "\n");
  add_block(out, markdown_fields(part.fields));
  for (const auto& listing : part.listings)
    add_block(out,
              fmt::format("{}\n\n```{}\n{}```\n", listing.title, listing.code ? "cpp" : "", listing.text));
  return out;
}

bool is_empty(const PagePart& part) {
  return part.prose.empty() && part.listings.empty() && part.fields.empty();
}

}  // namespace

std::string page_text(const StepPage& page, const Style& style) {
  auto out = inked(page.id, Ink::bold, style) + "\n";
  if (!page.title.empty()) out += reflowed(page.title, style);
  add_block(out, fields_text(page.facts, style));
  for (const auto& part : page.parts) {
    if (is_empty(part)) continue;
    out += fmt::format("\n{}\n", inked(part.heading, Ink::bold, style));
    add_block(out, reflowed(part.prose, style));
    add_block(out, fields_text(part.fields, style));
    for (const auto& listing : part.listings) add_block(out, listing_text(listing, style));
  }
  out += fmt::format("\n{}\n\n", inked("Test it", Ink::bold, style));
  for (const auto& command : page.commands) out += fmt::format("  {}\n", command);
  return out;
}

std::string page_markdown(const StepPage& page) {
  auto out = fmt::format("# {}\n", page.id);
  add_block(out, page.title.empty() ? std::string() : page.title + "\n");
  add_block(out, markdown_fields(page.facts));
  for (const auto& part : page.parts)
    if (!is_empty(part)) out += markdown_part(part);
  out += "\n## Test it\n\n```\n";
  for (const auto& command : page.commands) out += command + "\n";
  return out + "```\n";
}

}  // namespace harness::teach
