#include "harness/core/setup.hpp"
#include "harness/support/folder.hpp"
#include "harness/support/read_text.hpp"
#include "harness/trace/document.hpp"
#include "harness/trace/text.hpp"
#include "harness/trace/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace harness::trace {
namespace {

namespace fs = std::filesystem;

/// As PyTorch's handler for TensorBoard names a trace.
bool is_named_trace(const fs::path& file) {
  return file.filename().string().find(".pt.trace.json") != std::string::npos;
}

Trace parse(Text text, const std::string& file, const ReadLimits& limits) {
  Trace trace;
  trace.file = file;
  constexpr std::size_t bytes_per_event = 256;  // about; growing step by step would touch twice the memory
  trace.events.reserve(text.size() / bytes_per_event);
  read_document(text, trace, limits.window);
  return trace;
}

}  // namespace

std::vector<fs::path> trace_files(const fs::path& path) {
  if (path == "-") return {"/dev/stdin"};
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    require_readable(path);
    return {path};
  }
  auto files = files_in(path, is_json_name);
  if (files.empty())
    throw BadInput(fmt::format("{}: this folder holds no *.json and no *.json.gz", path.string()));
  // Other JSON may lie beside them: a configuration, results.
  if (std::ranges::any_of(files, is_named_trace))
    std::erase_if(files, [](const fs::path& file) { return !is_named_trace(file); });
  return files;
}

Trace read_trace(const std::filesystem::path& file, const ReadLimits& limits) {
  return parse(load_text(file, limits), file.string(), limits);
}

Trace parse_trace(std::string_view json, const std::string& file, const ReadLimits& limits) {
  Text text(json.size(), file);
  if (!json.empty()) std::memcpy(text.data(), json.data(), json.size());
  return parse(std::move(text), file, limits);
}

}  // namespace harness::trace
