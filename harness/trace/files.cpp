#include "harness/core/setup.hpp"
#include "harness/trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <system_error>

namespace harness::trace {
namespace {

namespace fs = std::filesystem;

bool is_trace(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.ends_with(".json") || name.ends_with(".json.gz");
}

/// As PyTorch's handler for TensorBoard names a trace.
bool is_named_trace(const fs::path& file) {
  return file.filename().string().find(".pt.trace.json") != std::string::npos;
}

}  // namespace

std::vector<fs::path> trace_files(const fs::path& path) {
  if (path == "-") return {"/dev/stdin"};
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (!fs::exists(path, error)) throw BadInput(fmt::format("{}: there is no such file.", path.string()));
    return {path};
  }
  std::vector<fs::path> files;
  for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error))
    if (is_trace(entry->path()) && fs::is_regular_file(entry->path(), error)) files.push_back(entry->path());
  if (files.empty())
    throw BadInput(fmt::format("{}: this folder holds no *.json and no *.json.gz.", path.string()));
  // Other JSON may lie beside them: a configuration, results.
  if (std::ranges::any_of(files, is_named_trace))
    std::erase_if(files, [](const fs::path& file) { return !is_named_trace(file); });
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace harness::trace
