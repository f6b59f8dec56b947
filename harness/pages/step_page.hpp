// The page of a step: what `explain STEP` says, in seven parts, before it becomes text, Markdown or JSON;
// what the catalogue knows, and what was measured.
#pragma once

#include "harness/catalogue/program.hpp"
#include "harness/pages/measured_here.hpp"
#include "harness/support/terminal.hpp"

namespace harness::pages {

/// A named text: "Source", "A guide, section 3". Fields of one name follow each other, the name once.
struct PageField {
  std::string name;
  std::string text;
};

/// Lines that are shown as they are.
struct PageListing {
  std::string title;
  std::string text;
  std::string language = {};  // "cpp", "python"; empty: a table
};

/// What is empty is not shown; the order is that of the members.
struct PagePart {
  std::string heading;
  std::string prose;  // paragraphs
  std::vector<PageField> fields = {};
  std::vector<PageListing> listings = {};
};

/// The parts: the question, what the hardware does, the tip in Python, both forms, when the tip does not
/// matter or hurts, what was published and what was measured here, the answer.
struct StepPage {
  std::string id;
  std::string title;  // the lesson's first line
  std::vector<PageField> facts;
  std::array<PagePart, 7> parts;
  std::vector<std::string> commands;
};

/// `sources` are those that were embedded for the step: its own file, then, for a rung of a workload, the
/// files that ask for its switch, those with its function in Python, and the one whose lesson it shares. May
/// be empty: then the parts that are cut from them are.
StepPage step_page(const catalogue::Step& step, std::span<const catalogue::StepSource> sources,
                   const MeasuredHere& here);

/// The lesson of the step's own file; a paragraph "Lesson: FILE" stands for the comment that opens that file.
std::string whole_lesson(std::span<const catalogue::StepSource> sources);

/// A part of the code on the page, and the file that it comes from.
struct CodePart {
  std::string_view file;
  std::string text;
  int first_line = 0;
  int last_line = 0;
  bool python = false;  // for torch's compiler
};

/// The step's own function, then the functions that ask for its switch, or what another file has in Python
/// for torch's compiler.
std::vector<CodePart> code_parts(const catalogue::Step& step, std::span<const catalogue::StepSource> sources);

/// What the step's source expects, a sentence for each kind of device that it runs on: "helps at n:128; of
/// n:1024, n:4096 nothing is said".
std::vector<PageField> expectations_of(const catalogue::Step& step);

/// The page as a person reads it, and as Markdown.
std::string page_text(const StepPage& page, const Style& style);
std::string page_markdown(const StepPage& page);

/// The page without anything that was measured.
std::string explain_text(const catalogue::Step& step, std::span<const catalogue::StepSource> sources,
                         const Style& style);

/// "; did you mean 'sync/item_every_step'?": steps and topics of nearly that name, or nothing.
std::string pages_near(const catalogue::Catalogue& catalogue, const std::string& name);

/// The step of that id, or the one that has a row of that name; throws BadInput naming near misses.
const catalogue::Step& find_step(const catalogue::Catalogue& catalogue, const std::string& name);

}  // namespace harness::pages
