// Finds the pages that words are about: steps, topics, what `diagnose` finds, and commands, by SQLite's
// full-text search.
#pragma once

#include "harness/catalogue/program.hpp"

namespace harness::pages {

/// A page that was found; a finding of `diagnose` with the steps that help against it; or a command, named
/// "tuneproof doctor" and with its line of the help.
struct FoundPage {
  std::string name, title;
};

struct FoundPages {
  std::vector<FoundPage> pages;  // at most eight, the best first
  std::string said = {};         // of each word that no page has, and of the one that stood in for it
};

/// Looks through names, titles, claims and their ids, lessons and code, findings, the commands, and
/// search_words().
FoundPages search_pages(const catalogue::Program& program, const std::vector<FoundPage>& commands,
                        const std::string& words);

/// The steps of a folder ("sync"), or those that a glob matches ("sync/*"). Empty where it is neither.
std::vector<FoundPage> pages_like(const catalogue::Program& program, const std::string& pattern);

/// What people type and pages do not have: in each line of search_words.txt "STEP: words", "FINDING: words"
/// or "tuneproof COMMAND: words", or "alike: words, words" that mean the same.
std::string_view search_words();

}  // namespace harness::pages
