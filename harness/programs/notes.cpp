#include "harness/programs/notes.hpp"

#include "harness/support/field.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

namespace harness::programs {
namespace {

/// As a user would type it: from here, where it lies below.
std::filesystem::path from_here(const std::filesystem::path& file) {
  std::error_code gone;
  const auto near = file.lexically_relative(std::filesystem::current_path(gone));
  return near.empty() || *near.begin() == ".." ? file : near;
}

KeptTrace kept_trace(const Field& note) {
  return {from_here(note["file"].text()), note["pid"].integer(),
          note["first"].integer(),        note["steps"].integer(),
          note["rank"].integer(),         note["ranks"].integer(),
          note["time"].number(),          note.has("early") && note["early"].boolean()};
}

void add(const Field& note, Notes& notes) {
  const auto what = note["what"].text();
  if (what == "torch") {
    const double time = note["time"].number();
    notes.torch = std::min(notes.torch.value_or(time), time);
  } else if (what == "step") {
    notes.stepped = true;
  } else if (what == "passed_over") {
    notes.passed_over = true;
  } else if (what == "trace") {
    notes.traces.push_back(kept_trace(note));
  } else if (what == "packing") {
    notes.packing.push_back(
        {note["pid"].integer(), note["first"].integer(), note["steps"].integer(), note["time"].number()});
  } else if (what == "packed") {
    for (auto& packing : notes.packing)
      if (packing.process == note["pid"].integer() && packing.first == note["first"].integer())
        packing.done = true;
  } else if (what == "pace") {
    if (const auto pace = trace::pace(note.json().dump()))
      notes.paces[{note["pid"].integer(), note["first"].integer()}] = *pace;
  } else if (what == "theirs") {
    notes.theirs = true;
  } else if (what == "their_trace") {
    notes.their_traces.push_back(from_here(note["file"].text()));
  } else if (what == "problem") {
    if (const auto text = note["sentence"].text();
        std::ranges::find(notes.problems, text) == notes.problems.end())
      notes.problems.push_back(text);
  } else if (what == "end") {
    notes.most_steps = std::max(notes.most_steps.value_or(0), note["steps"].integer());
    if (const auto epochs = note.find("epochs"))
      if (const auto starts = trace::epoch_starts(epochs->json().dump()))
        notes.epochs[note["pid"].integer()] = *starts;
  }
}

}  // namespace

Notes read_notes(const std::filesystem::path& folder) {
  Notes notes;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator(folder, gone)) {
    if (!entry.is_regular_file(gone)) continue;  // the program may write there
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      try {
        const auto json = parse_json(line, entry.path().string());
        add(Field(json, entry.path().string()), notes);
      } catch (const BadInput&) {
        continue;
      }
    }
  }
  std::ranges::sort(notes.traces, {}, &KeptTrace::time);
  std::ranges::sort(notes.packing, {}, &Packing::time);
  return notes;
}

}  // namespace harness::programs
