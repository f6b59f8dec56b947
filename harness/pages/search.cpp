#include "harness/pages/search.hpp"

#include "harness/catalogue/in_python.hpp"
#include "harness/compare/database.hpp"
#include "harness/pages/assembly.hpp"
#include "harness/pages/lesson.hpp"
#include "harness/pages/step_page.hpp"
#include "harness/pages/topics.hpp"
#include "harness/support/near_miss.hpp"
#include "harness/trace/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <fnmatch.h>

namespace harness::pages {
namespace {

constexpr std::size_t most_pages = 8;

/// Words that stand on every page or tell nothing; left out unless nothing else was typed.
constexpr std::array<std::string_view, 89> empty_words{
    "a",      "an",     "and",     "are",   "as",     "at",      "be",    "by",     "can",    "code",
    "do",     "does",   "for",     "from",  "how",    "i",       "in",    "is",     "it",     "me",
    "my",     "need",   "nn",      "no",    "not",    "of",      "on",    "or",     "should", "so",
    "than",   "that",   "the",     "then",  "this",   "to",      "use",   "used",   "was",    "what",
    "when",   "where",  "which",   "who",   "why",    "with",    "you",   "your",   "if",     "its",
    "out",    "torch",  "error",   "help",  "many",   "much",    "only",  "other",  "others", "slow",
    "slower", "script", "am",      "all",   "become", "becomes", "fast",  "faster", "get",    "gets",
    "have",   "make",   "makes",   "most",  "there",  "too",     "long",  "mean",   "means",  "take",
    "takes",  "would",  "forever", "often", "vs",     "true",    "false", "self",   "x"};

bool is_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || (c & 0x80) != 0; }

/// "pin_memory()" -> "pin memory": what the index has of it. Empty without a letter or digit.
std::string parts_of_word(std::string_view word) {
  std::string parts;
  for (const char c : word) {
    if (is_part(c))
      parts += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!parts.empty() && parts.back() != ' ')
      parts += ' ';
  }
  while (parts.ends_with(' ')) parts.pop_back();
  return parts;
}

bool tells(std::string_view word) {
  return std::ranges::find(empty_words, word) == empty_words.end() &&
         word.find_first_not_of("0123456789") != word.npos;
}

/// The words that were typed, each without its signs; of code, calls and their arguments are apart.
std::vector<std::string> parts_of_words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(" \t\n.=(),:'\"[]"), text.size());
    if (auto parts = parts_of_word(text.substr(0, end)); !parts.empty()) words.push_back(std::move(parts));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// What a line of code calls or sets, which tells more than its variables: "to", "non blocking" of
/// "x.to(device, non_blocking=True)".
std::vector<std::string> called_names(std::string_view text) {
  const auto in_name = [](char c) { return is_part(c) || c == '_'; };
  std::vector<std::string> names;
  for (auto at = text.find_first_of("(="); at != text.npos; at = text.find_first_of("(=", at + 1)) {
    auto begin = at;
    while (begin > 0 && in_name(text[begin - 1])) --begin;
    if (auto name = parts_of_word(text.substr(begin, at - begin)); !name.empty() && tells(name))
      names.push_back(std::move(name));
  }
  return names;
}

/// "torch 2.1": a number with a point, where an upgrade is what is asked about.
bool names_a_version(std::string_view text) {
  const auto is_digit = [&](std::size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
  };
  for (auto at = text.find('.', 1); at < text.size(); at = text.find('.', at + 1))
    if (is_digit(at - 1) && is_digit(at + 1)) return true;
  return false;
}

/// "what is a CUDA stream", "what does pinned mean": a question for a topic rather than for a tip.
bool asks_what_it_is(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 3> verbs{"is", "are", "does"};
  return words.size() > 2 && words[0] == "what" && std::ranges::find(verbs, words[1]) != verbs.end();
}

std::string phrase_of(std::string_view words) { return fmt::format("\"{}\"", words); }

std::string query_of(const std::vector<std::string>& words, std::string_view between) {
  std::vector<std::string> phrases;
  for (const auto& word : words) phrases.push_back(phrase_of(word));
  return fmt::format("{}", fmt::join(phrases, between));
}

/// As phrases of the search's language, the closest first: all that was typed, where it stands for a page;
/// that without the words at its ends that tell nothing; what code calls; the first two anywhere; each word
/// that tells something; any of them; any part of one.
std::vector<std::string> queries_of(const std::vector<std::string>& words,
                                    const std::vector<std::string>& called) {
  auto inner = words;
  while (inner.size() > 1 && !tells(inner.back())) inner.pop_back();
  while (inner.size() > 1 && !tells(inner.front())) inner.erase(inner.begin());
  std::vector<std::string> telling, pieces;
  for (const auto& word : inner) {
    if (!tells(word) && inner.size() > 1) continue;
    telling.push_back(word);
    for (auto& piece : parts_of_words(word))
      if (tells(piece)) pieces.push_back(std::move(piece));
  }
  const auto whole = phrase_of(fmt::format("{}", fmt::join(words, " ")));
  const auto trimmed = phrase_of(fmt::format("{}", fmt::join(inner, " ")));
  constexpr std::string_view stands_for = "{title claim words}: ";
  std::vector<std::string> queries{fmt::format("{}{}", stands_for, whole),
                                   fmt::format("{}{}", stands_for, trimmed),
                                   query_of(called, " AND "),
                                   whole,
                                   trimmed,
                                   query_of(called, " OR "),
                                   query_of(telling, " AND "),
                                   query_of(telling, " OR "),
                                   query_of(pieces, " OR ")};
  std::erase(queries, "");
  return queries;
}

struct Entry {
  std::string name, title, claim, words, text;
  double weight = 1;  // of two pages that fit alike, the more general one stands first
};

/// What search_words.txt has for the page.
std::string_view words_for(std::string_view name) {
  const auto begin = fmt::format("{}: ", name);
  for (auto rest = search_words(); !rest.empty();) {
    const auto line = rest.substr(0, rest.find('\n'));
    if (line.starts_with(begin)) return line.substr(begin.size());
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return {};
}

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
  constexpr double rung_weight = 0.5;  // a model's rung has the lesson of a tip
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

std::vector<Entry> entries(const catalogue::Program& program, const std::vector<FoundPage>& commands,
                           double topic_weight) {
  constexpr double finding_weight = 0.8;
  std::vector<Entry> all;
  for (const auto& [name, title] : commands)
    all.push_back(
        {.name = name, .title = title, .claim = {}, .words = std::string(words_for(name)), .text = {}});
  for (const auto& step : program.catalogue->steps) all.push_back(entry_of(program, step));
  for (const auto& topic : topics())
    all.push_back({std::string(topic.name),
                   std::string(title_of(topic)),
                   {},
                   std::string(words_for(topic.name)),
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

/// With the nearest word of search_words.txt for each word: "dataloder" -> "dataloader".
std::string respelled(const std::vector<std::string>& typed) {
  constexpr std::size_t shortest = 5;  // shorter ones are near to too many
  auto known = parts_of_words(search_words());
  std::erase_if(known, [](const std::string& word) { return word.find(' ') != word.npos; });
  std::string words;
  for (const auto& word : typed) {
    const auto near =
        word.size() < shortest ? std::vector<std::string>() : near_misses(word, known, /*most=*/1);
    words += (words.empty() ? "" : " ") + (near.empty() ? word : near.front());
  }
  return words;
}

}  // namespace

std::vector<FoundPage> search_pages(const catalogue::Program& program, const std::vector<FoundPage>& commands,
                                    const std::string& words) {
  auto typed = parts_of_words(words);
  if (typed.empty()) return {};
  if (names_a_version(words)) typed.emplace_back("upgrade");
  constexpr double of_tips = 1.2, of_meanings = 3;
  const auto all = entries(program, commands, asks_what_it_is(typed) ? of_meanings : of_tips);
  std::vector<FoundPage> found;
  const auto add = [&](FoundPage page) {
    if (found.size() < most_pages && std::ranges::find(found, page.name, &FoundPage::name) == found.end())
      found.push_back(std::move(page));
  };
  for (const auto& name : {words, "tuneproof " + words})
    if (const auto named = std::ranges::find(all, name, &Entry::name); named != all.end())
      add({named->name, named->title});
  const auto index = index_of(all);
  auto query = index.prepare(
      "select name, title from pages where pages match ? "
      "order by weight * bm25(pages, 8, 6, 4, 6, 1, 0)");
  for (const auto& match : queries_of(typed, called_names(words))) {
    query.bind(0, match);
    while (query.step()) add({query.text(0), query.text(1)});
  }
  if (!found.empty()) return found;
  const auto other = respelled(typed);
  return parts_of_words(other) == typed ? found : search_pages(program, commands, other);
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
