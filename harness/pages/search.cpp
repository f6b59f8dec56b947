#include "harness/pages/search.hpp"

#include "harness/catalogue/in_python.hpp"
#include "harness/compare/database.hpp"
#include "harness/pages/assembly.hpp"
#include "harness/pages/lesson.hpp"
#include "harness/pages/step_page.hpp"
#include "harness/pages/topics.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/support/plain_words.hpp"
#include "harness/support/text.hpp"
#include "harness/trace/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fnmatch.h>

namespace harness::pages {
namespace {

constexpr std::size_t most_pages = 8;

/// What search_words.txt has for the name, a line each.
std::vector<std::string_view> lines_for(std::string_view name) {
  std::vector<std::string_view> lines;
  for (const auto& part : std::views::split(search_words(), '\n'))
    if (const std::string_view line(part.begin(), part.end());
        line.starts_with(name) && line.substr(name.size()).starts_with(": "))
      lines.push_back(line.substr(name.size() + 2));
  return lines;
}

std::string words_for(std::string_view name) { return fmt::format("{}", fmt::join(lines_for(name), " ")); }

/// "idling" -> "wait", "stall": what pages may say instead. Of a group one is meant by what begins with it.
std::vector<std::string> others_for(std::string_view typed) {
  std::vector<std::string> others;
  for (const auto group : lines_for("alike")) {
    bool meant = false;
    std::vector<std::string> rest;
    for (const auto& part : std::views::split(group, std::string_view(", "))) {
      const std::string_view word(part.begin(), part.end());
      if (typed.starts_with(word))
        meant = true;
      else
        rest.emplace_back(word);
    }
    if (meant) std::ranges::move(rest, std::back_inserter(others));
  }
  return others;
}

std::string phrase_of(std::string_view words) { return fmt::format("\"{}\"", words); }

std::string any_of(std::vector<std::string> phrases) {
  std::ranges::sort(phrases);
  phrases.erase(std::ranges::unique(phrases).begin(), phrases.end());
  return phrase_of(fmt::format("{}", fmt::join(phrases, "\" OR \"")));
}

/// In the search's language: any of the words that tell something, each with its neighbor too, and what pages
/// may say instead; and all in a row. The more of these a page has, and the rarer they are, the better. A
/// pair with a word that tells nothing ("memory or") is rare in texts by chance: it counts only where
/// somebody has written down what is asked.
std::string query_of(const std::vector<std::string>& words) {
  std::vector<std::string> phrases{fmt::format("{}", fmt::join(words, " "))}, asked;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto others = others_for(words[i]);
    if (tells(words[i]) || words.size() == 1) {
      phrases.push_back(words[i]);
      std::ranges::copy(others, std::back_inserter(phrases));
    }
    if (i + 1 == words.size() || !(tells(words[i]) || tells(words[i + 1]))) continue;
    const auto pair = words[i] + " " + words[i + 1];
    auto& pairs = tells(words[i]) && tells(words[i + 1]) ? phrases : asked;
    pairs.push_back(pair);
    std::ranges::move(others_for(pair), std::back_inserter(phrases));
    for (const auto& other : others) pairs.push_back(other + " " + words[i + 1]);
    for (const auto& other : others_for(words[i + 1])) pairs.push_back(words[i] + " " + other);
  }
  auto query = any_of(std::move(phrases));
  if (!asked.empty()) query += fmt::format(" OR {{title claim words}} : ({})", any_of(std::move(asked)));
  return query;
}

struct Entry {
  std::string name, title, claim, words, text;
  double weight = 1;  // of two pages that fit alike, the more general one stands first
};

std::string findings_of(std::string_view step) {
  std::string text;
  for (const auto& kind : trace::finding_kinds())
    if (std::ranges::find(kind.steps, step) != kind.steps.end())
      text += fmt::format(" {} {}", kind.id, kind.looks_for);
  return text;
}

std::string title_of(const catalogue::Program& program, const catalogue::Step& step) {
  auto title = parts_of(whole_lesson(sources_of(program, step))).title;
  std::ranges::replace(title, '\n', ' ');
  return title.empty() ? step.claim : title;
}

Entry entry_of(const catalogue::Program& program, const catalogue::Step& step) {
  constexpr double rung_weight = 0.3;  // a model's rung has the lesson of a tip
  Entry entry{.name = step.id,
              .title = title_of(program, step),
              .claim = step.claim,
              .words = fmt::format("{} {}{}", step.claim_ids, words_for(step.id), findings_of(step.id)),
              .text = step.source_title + " " + step.source_where,
              .weight = step.file.starts_with("workloads/") ? rung_weight : 1};
  for (const auto& source : sources_of(program, step)) entry.text.append(" ").append(source.text);
  if (const auto python = catalogue::in_python(step.id))
    for (const auto* part : {&python->before, &python->after, &python->note, &python->none})
      entry.text.append(" ").append(*part);
  return entry;
}

/// The words that a topic explains, each on a line of its own: "  slot            runs of one side ...".
std::string explained_words(std::string_view text) {
  constexpr std::string_view indent = "  ";
  std::string words;
  for (const auto& part : std::views::split(text, '\n')) {
    std::string_view line(part.begin(), part.end());
    if (!line.starts_with(indent) || line.substr(indent.size()).starts_with(' ')) continue;
    line.remove_prefix(indent.size());
    words.append(line.substr(0, line.find(indent))).append(" ");
  }
  return words;
}

std::vector<Entry> entries(const catalogue::Program& program, const std::vector<FoundPage>& commands) {
  constexpr double topic_weight = 1.4, finding_weight = 0.8;
  std::vector<Entry> all;
  for (const auto& [name, title] : commands)
    all.push_back({.name = name, .title = title, .claim = {}, .words = words_for(name), .text = {}});
  for (const auto& step : program.catalogue->steps) all.push_back(entry_of(program, step));
  for (const auto& topic : topics())
    all.push_back({std::string(topic.name),
                   std::string(title_of(topic)),
                   {},
                   words_for(topic.name) + (topic.name == "topic/words" ? explained_words(topic.text) : ""),
                   std::string(topic.text),
                   topic_weight});
  for (const auto& kind : trace::finding_kinds())
    all.push_back({std::string(kind.id),
                   fmt::format("a finding of `diagnose`: {}{}{}", kind.looks_for,
                               kind.steps.empty() ? "" : "; see ", fmt::join(kind.steps, ", ")),
                   {},
                   fmt::format("diagnose {}", words_for(kind.id)),
                   {},
                   finding_weight});
  return all;
}

compare::Database index_of(const std::vector<Entry>& all) {
  auto index = compare::Database::in_memory();
  index.run(
      "create virtual table pages using fts5(name, title, claim, words, text, weight unindexed, "
      "tokenize='porter unicode61')");
  auto insert = index.prepare("insert into pages values (?, ?, ?, ?, ?, ?)");
  for (const auto& entry : all)
    insert.bind(0, entry.name)
        .bind(1, entry.title)
        .bind(2, entry.claim)
        .bind(3, entry.words)
        .bind(4, entry.text)
        .bind(5, entry.weight)
        .step();
  return index;
}

/// The nearest word of search_words.txt: "dataloder" -> "dataloader". Empty where none is near.
std::string respelled(const std::string& word) {
  constexpr std::size_t shortest = 5;  // shorter ones are near to too many
  if (word.size() < shortest) return {};
  const auto near = near_misses(word, words_of(search_words()), /*most=*/1);
  return near.empty() ? std::string() : near.front();
}

bool has(const compare::Database& index, const std::string& word) {
  auto query = index.prepare("select 1 from pages where pages match ?");
  return query.bind(0, phrase_of(word)).step();
}

/// Takes out the words that no page has, and says so. Where none is left that tells something, the nearest
/// stand in for them.
std::string take_unknown(const compare::Database& index, std::vector<std::string>& words) {
  std::vector<std::string> unknown, nearest;
  std::erase_if(words, [&](const std::string& word) {
    if (!tells(word) || !others_for(word).empty() || has(index, word)) return false;
    unknown.push_back(word);
    return true;
  });
  if (unknown.empty()) return {};
  if (std::ranges::none_of(words, tells))
    for (const auto& word : unknown)
      if (auto other = respelled(word); !other.empty()) nearest.push_back(std::move(other));
  std::ranges::copy(nearest, std::back_inserter(words));
  return fmt::format(
      "No page has '{}'{}.", printable(fmt::format("{}", fmt::join(unknown, "', '"))),
      nearest.empty() ? "" : fmt::format(", so '{}' was searched for", fmt::join(nearest, " ")));
}

}  // namespace

FoundPages search_pages(const catalogue::Program& program, const std::vector<FoundPage>& commands,
                        const std::string& words) {
  const auto all = entries(program, commands);
  FoundPages found;
  const auto add = [&](FoundPage page) {
    if (found.pages.size() < most_pages &&
        std::ranges::find(found.pages, page.name, &FoundPage::name) == found.pages.end())
      found.pages.push_back(std::move(page));
  };
  for (const auto& name : {words, "tuneproof " + words})
    if (const auto named = std::ranges::find(all, name, &Entry::name); named != all.end())
      add({named->name, named->title});
  const auto index = index_of(all);
  auto typed = words_of(words);
  found.said = take_unknown(index, typed);
  if (typed.empty() || (!found.said.empty() && std::ranges::none_of(typed, tells))) return found;
  auto query = index.prepare(
      "select name, title from pages where pages match ? "
      "order by weight * bm25(pages, 1, 4, 4, 24, 0.25, 0)");
  query.bind(0, query_of(typed));
  while (query.step()) add({query.text(0), query.text(1)});
  return found;
}

std::vector<FoundPage> pages_like(const catalogue::Program& program, const std::string& pattern) {
  const bool glob = pattern.find('*') != pattern.npos;
  std::vector<FoundPage> found;
  for (const auto& step : program.catalogue->steps)
    if (glob ? fnmatch(pattern.c_str(), step.id.c_str(), 0) == 0 : step.id.starts_with(pattern + "/"))
      found.push_back({step.id, title_of(program, step)});
  return found;
}

}  // namespace harness::pages
