#include "harness/compare/ci.hpp"

#include "harness/core/setup.hpp"
#include "harness/run/row_view.hpp"
#include "harness/support/exit_codes.hpp"
#include "harness/support/field.hpp"
#include "harness/support/quantity.hpp"
#include "harness/support/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <pugixml.hpp>
#include <sstream>

namespace harness::compare {
namespace {

/// In a cell of a table nothing may end the cell or the line, be read as markup or move a cursor.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (std::string_view("|\\`*_<>[]").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

/// GitHub's escapes for the text of a workflow command; `property` adds those of its parameters.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
    out += special ? fmt::format("%{:02X}", static_cast<unsigned>(c)) : std::string(1, c);
  }
  return out;
}

bool only_advises(const CiCase& row, const Demands& demands) {
  return row.fate == Fate::advice && !demands.strict;
}

/// What CI does with the row: failure and error as they are; pass or skipped for what fails nothing.
Fate shown_fate(const CiCase& row, const Demands& demands) {
  switch (row.fate) {
    case Fate::undecided:
      return demands.strict ? Fate::error : Fate::skipped;
    case Fate::unsettled:
      return Fate::error;
    case Fate::missing:
      return demands.allow_missing ? Fate::skipped : Fate::failure;
    case Fate::advice:
      return Fate::failure;
    default:
      return row.fate;
  }
}

bool fails(const CiCase& row, const Demands& demands) {
  const auto fate = shown_fate(row, demands);
  return !only_advises(row, demands) && (fate == Fate::failure || fate == Fate::error);
}

/// "::error" for what fails, "::warning" for what deserves a look: a job shows ten of each.
std::string_view level(const CiCase& row, const Demands& demands) {
  if (fails(row, demands)) return "error";
  return only_advises(row, demands) || row.fate == Fate::missing ? "warning" : "";
}

/// True if something else than a row decided how it ended.
bool ended_otherwise(const CiReport& report) { return !report.errors.empty() || report.signal; }

std::string rows_text(std::size_t rows) { return fmt::format("{} {}", rows, rows == 1 ? "row" : "rows"); }

/// What a report says, so far.
struct Tally {
  const CiReport& report;

  std::size_t count(Fate fate) const {
    return static_cast<std::size_t>(std::ranges::count(report.rows, fate, &CiCase::fate));
  }
  std::size_t compared() const { return report.rows.size() - count(Fate::skipped) - count(Fate::missing); }

  /// "2 rows slower, 1 row does more".
  std::vector<std::string> by_word(Fate fate) const {
    std::map<std::string, std::size_t> words;
    for (const auto& row : report.rows)
      if (row.fate == fate) ++words[row.verdict];
    std::vector<std::string> texts;
    for (const auto& [word, rows] : words) texts.push_back(fmt::format("{} {}", rows_text(rows), word));
    return texts;
  }
};

/// Why the comparison fails though no row got worse for certain; empty where it does not.
std::vector<std::string> open_questions(const Tally& tally) {
  const auto& demands = tally.report.demands;
  std::vector<std::string> reasons;
  const auto add = [&](std::vector<std::string> more) {
    std::ranges::move(more, std::back_inserter(reasons));
  };
  add(tally.by_word(Fate::unsettled));
  if (!demands.allow_missing) add(tally.by_word(Fate::missing));
  const auto undecided = tally.count(Fate::undecided);
  if (tally.compared() == 0)
    reasons.emplace_back("no row was compared");
  else if (undecided == tally.compared() && !demands.allow_undecided)
    reasons.push_back(undecided == 1 ? "the only row is undecided"
                                     : fmt::format("all {} rows are undecided", undecided));
  else if (demands.strict &&
           static_cast<double>(undecided) > most_undecided * static_cast<double>(tally.compared()))
    reasons.push_back(fmt::format("{} of {} undecided (--strict)", undecided, rows_text(tally.compared())));
  return reasons;
}

std::string passed_line(const Tally& tally) {
  std::vector<std::string> parts{rows_text(tally.compared()) + " compared"};
  for (const auto& [fate, text] :
       {std::pair{Fate::undecided, "undecided"}, {Fate::skipped, "skipped on both sides"}})
    if (const auto rows = tally.count(fate); rows > 0) parts.push_back(fmt::format("{} {}", rows, text));
  for (const auto& text : tally.by_word(Fate::missing)) parts.push_back(text + " (allowed)");
  for (const auto& text : tally.by_word(Fate::advice))
    parts.push_back(text + " (only advice: --strict fails)");
  return fmt::format("PASSED: {}", fmt::join(parts, ", "));
}

const char* element_of(Fate fate) {
  return fate == Fate::failure ? "failure" : fate == Fate::error ? "error" : "skipped";
}

/// Bytes that are no UTF-8, as a command may print them, become U+FFFD.
std::string as_utf8(std::string_view text) { return Json::parse(one_line(text)).get<std::string>(); }

/// XML has no place for control characters, escaped or not, nor for U+FFFE and U+FFFF.
std::string xml_text(std::string_view given) {
  auto text = printable(as_utf8(given));
  for (const auto* none : {"\xef\xbf\xbe", "\xef\xbf\xbf"})
    for (auto at = text.find(none); at != text.npos; at = text.find(none, at)) text.replace(at, 3, 1, '?');
  return text;
}

void add_case(pugi::xml_node& suite, const CiCase& row, const Demands& demands) {
  auto node = suite.append_child("testcase");
  node.append_attribute("classname") = xml_text(row.group).c_str();
  node.append_attribute("name") = xml_text(row.name).c_str();
  node.append_attribute("time") = fmt::format("{:.3f}", row.seconds).c_str();
  if (!row.properties.empty()) {
    auto properties = node.append_child("properties");
    for (const auto& [name, value] : row.properties) {
      auto property = properties.append_child("property");
      property.append_attribute("name") = name.c_str();
      property.append_attribute("value") = xml_text(value).c_str();
    }
  }
  const auto said = row.message.empty() ? row.verdict : row.verdict + ": " + row.message;
  const auto whole = row.change.empty() ? said : row.change + " " + said;
  if (const auto fate = shown_fate(row, demands); fate != Fate::pass) {
    auto element = node.append_child(element_of(fate));
    element.append_attribute("message") = xml_text(whole).c_str();
    if (fate == Fate::skipped) return;
    const bool advises = row.fate == Fate::advice && !demands.strict;
    auto type = xml_text(advises ? "advice" : row.verdict);
    std::ranges::transform(type, type.begin(), [](unsigned char c) { return std::tolower(c); });
    element.append_attribute("type") = type.c_str();
  } else if (!row.change.empty()) {
    node.append_child("system-out").append_child(pugi::node_pcdata).set_value(xml_text(whole).c_str());
  }
}

}  // namespace

Fate fate_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::helps:
    case Verdict::no_effect:
      return Fate::pass;
    case Verdict::invalid:
    case Verdict::failed:
      return Fate::error;
    case Verdict::inconclusive:
      return Fate::undecided;
    default:
      return Fate::skipped;
  }
}

void add_figure(CiCase& row, std::string name, double value) {
  row.properties.emplace_back(std::move(name), fmt::format("{:.6g}", value));
}

void add_change(CiCase& row, std::string_view row_name, double given,
                const std::optional<Interval>& given_interval, double margin) {
  const auto ratio = results::as_printed(row_name, given);
  const auto interval = results::as_printed(row_name, given_interval);
  row.change = change_text(ratio, interval);
  add_figure(row, "ratio", ratio);
  if (interval) {
    add_figure(row, "ratio, lower end", interval->low);
    add_figure(row, "ratio, upper end", interval->high);
  }
  add_figure(row, "margin", margin);
}

CiCase missing_row(const std::string& name) {
  return {.group = name.substr(0, name.find(':')),
          .name = name,
          .fate = Fate::missing,
          .verdict = "missing",
          .message = "in BASE only"};
}

std::string markdown_text(const CiReport& report) {
  std::vector<std::string> reasons;
  for (const auto& row : report.rows)
    if (row.fate == Fate::skipped) reasons.push_back(row.message);
  const auto skipped = run::skipped_alike(reasons);
  const auto told_below = [&](const CiCase& row) {
    return row.fate == Fate::skipped &&
           std::ranges::find(skipped, row.message, &run::SkippedAlike::reason) != skipped.end();
  };
  auto out = fmt::format("### {}\n\n", cell(report.title));
  const bool valued = std::ranges::any_of(report.rows, [](const CiCase& row) { return !row.after.empty(); });
  if (!std::ranges::all_of(report.rows, told_below)) {
    out += valued ? "| row | before | after | change | verdict | notes |\n|---|---:|---:|---|---|---|\n"
                  : "| row | change | verdict | notes |\n|---|---|---|---|\n";
    for (const auto& row : report.rows) {
      if (told_below(row)) continue;
      const bool bad = fails(row, report.demands);
      const auto verdict = bad ? fmt::format("**{}**", cell(row.verdict)) : cell(row.verdict);
      const auto values = valued ? fmt::format(" {} | {} |", cell(row.before), cell(row.after)) : "";
      out += fmt::format("| {} |{} {} | {} | {} |\n", cell(row.name), values, cell(row.change), verdict,
                         cell(row.message));
    }
    out += '\n';
  }
  std::string notes;
  for (const auto& group : skipped) notes += fmt::format("- {}\n", cell(group.text()));
  for (const auto& note : report.notes) notes += fmt::format("- {}\n", cell(note));
  return notes.empty() ? out : out + notes + "\n";
}

std::string page_text(const CiReport& report) {
  return fmt::format("{}\n**{}**\n", markdown_text(report), cell(conclusion_of(report).line));
}

std::string annotations_text(const CiReport& report) {
  std::string out;
  for (const auto& row : report.rows)
    if (const auto word = level(row, report.demands); !word.empty()) {
      const auto said = fmt::format("{}{}{}{}{}", row.verdict, row.change.empty() ? "" : " ", row.change,
                                    row.message.empty() ? "" : ": ", row.message);
      out += fmt::format("::{} title={}::{}\n", word, escaped(printable(row.name), true),
                         escaped(printable(said), false));
    }
  // A job that is red says why, also where no row alone has made it so.
  const auto conclusion = conclusion_of(report);
  if ((out.empty() || ended_otherwise(report)) && conclusion.code != 0)
    out += fmt::format("::error::{}\n", escaped(printable(conclusion.line), false));
  return out;
}

Conclusion conclusion_of(const CiReport& report) {
  if (!report.refusals.empty())
    return {refused_exit, fmt::format("REFUSED: {}", fmt::join(report.refusals, "; "))};
  if (report.signal) return {128 + *report.signal, "NOT DECIDED: stopped by a signal"};
  const Tally tally{report};
  auto worse = tally.by_word(Fate::failure);
  if (report.demands.strict) std::ranges::move(tally.by_word(Fate::advice), std::back_inserter(worse));
  auto errors = tally.by_word(Fate::error);
  std::ranges::copy(report.errors, std::back_inserter(errors));
  const bool begun = !report.rows.empty() || report.errors.empty();
  const auto open = begun ? open_questions(tally) : std::vector<std::string>();
  if (worse.empty() && errors.empty() && open.empty()) return {0, passed_line(tally)};
  const auto code = !worse.empty() ? regression_exit : !errors.empty() ? 1 : strict_exit;
  const auto* const word =
      code == strict_exit && (tally.count(Fate::missing) == 0 || report.demands.allow_missing) ? "NOT DECIDED"
                                                                                               : "FAILED";
  auto reasons = worse;
  for (const auto& more : {errors, open}) std::ranges::copy(more, std::back_inserter(reasons));
  return {code, fmt::format("{}: {}", word, fmt::join(reasons, ", "))};
}

CiReport with_reason(CiReport report) {
  const auto conclusion = conclusion_of(report);
  const auto is_red = [&](const CiCase& row) { return fails(row, report.demands); };
  const bool otherwise = ended_otherwise(report);
  if (conclusion.code == 0 || (!otherwise && std::ranges::any_of(report.rows, is_red))) return report;
  bool told = false;
  for (auto& row : report.rows) {
    if (otherwise || row.fate != Fate::undecided) continue;
    row.fate = Fate::error;
    told = true;
  }
  const auto colon = conclusion.line.find(": ");
  if (!told)
    report.rows.push_back({.group = report.title,
                           .name = "conclusion",
                           .fate = Fate::error,
                           .verdict = conclusion.line.substr(0, colon),
                           .message = conclusion.line.substr(colon + 2)});
  return report;
}

std::string junit_text(const CiReport& report) {
  const auto count = [&](Fate fate) {
    return static_cast<long long>(std::ranges::count_if(
        report.rows, [&](const CiCase& row) { return shown_fate(row, report.demands) == fate; }));
  };
  pugi::xml_document document;
  auto declaration = document.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  auto suite = document.append_child("testsuites").append_child("testsuite");
  suite.append_attribute("name") = xml_text(report.title).c_str();
  suite.append_attribute("tests") = static_cast<long long>(report.rows.size());
  suite.append_attribute("failures") = count(Fate::failure);
  suite.append_attribute("errors") = count(Fate::error);
  suite.append_attribute("skipped") = count(Fate::skipped);
  double seconds = 0;
  for (const auto& row : report.rows) seconds += row.seconds;
  suite.append_attribute("time") = fmt::format("{:.3f}", seconds).c_str();
  for (const auto& row : report.rows) add_case(suite, row, report.demands);
  std::string notes;
  for (const auto& note : report.notes) notes += xml_text(note) + "\n";
  if (!notes.empty())
    suite.append_child("system-out").append_child(pugi::node_pcdata).set_value(notes.c_str());
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace harness::compare
