// `tuneproof explain topic/NAME`: what many tips have in common, a page each. The pages are
// docs/topics/*.txt, put into the program when it is built.
#pragma once

#include "harness/support/terminal.hpp"

#include <span>

namespace harness::pages {

/// A page: its title stands in its first line; what is indented below the lines "Steps that show it" and
/// "Sources" are steps, each with a few words, and sources.
struct Topic {
  std::string_view name;  // "topic/warm_up"
  std::string_view text;
};

/// All pages, sorted by name.
std::span<const Topic> topics();

/// True of "topics" and of any name that begins as a topic's does.
bool asks_for_topics(std::string_view name);

/// The topic of that name; throws BadInput naming near misses.
const Topic& find_topic(const std::string& name);

/// Its first line.
std::string_view title_of(const Topic& topic);

/// The lines below the heading, without their indentation, up to the next empty line.
std::vector<std::string_view> lines_below(const Topic& topic, std::string_view heading);

/// The ids of the steps that the page names.
std::vector<std::string_view> steps_of(const Topic& topic);

/// The page as it was written, its title in bold.
std::string topic_text(const Topic& topic, const Style& style);

/// What topics there are: names and titles.
std::string topics_text(const Style& style);

/// Names of all topics.
std::vector<std::string> topic_names();

/// They as indented lines, for the help.
std::string topic_names_text();

/// Prints the list ("topics"), or one page; as JSON if asked to. Returns the exit code.
int run_topic(const std::string& name, bool json);

}  // namespace harness::pages
