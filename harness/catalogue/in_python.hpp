// What a PyTorch user changes in a training of their own: the lines of docs/in_python, embedded.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace harness::catalogue {

struct PythonFile {
  std::string_view place;  // "sync/item_every_step"
  std::string_view text;
};

/// All files, sorted by place.
std::span<const PythonFile> python_files();

/// A tip in Python. Where there is nothing to type, `none` says why, and all else is empty.
struct InPython {
  std::string before;
  std::string after;
  std::string note;
  std::string none;
  bool needs_cuda = false;
};

/// What a file says; docs/in_python/README.md describes its form, which a test checks.
InPython parse_python(std::string_view text);

/// The lines of a step. Steps of several folders share a file of models/. Nothing where there is none.
std::optional<InPython> in_python(std::string_view step);

}  // namespace harness::catalogue
