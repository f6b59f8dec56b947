#include "harness/core/setup.hpp"
#include "harness/support/folder.hpp"
#include "harness/support/read_text.hpp"
#include "harness/trace/events.hpp"
#include "harness/trace/text.hpp"
#include "harness/trace/trace.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace harness::trace {
namespace {

namespace fs = std::filesystem;

/// As PyTorch's handler for TensorBoard names a trace.
bool is_named_trace(const fs::path& file) {
  return file.filename().string().find(".pt.trace.json") != std::string::npos;
}

namespace ondemand = simdjson::ondemand;

/// What a trace's views point into.
struct Storage {
  Text text;
  Interner names;
};

std::string text_of(ondemand::value value) {
  const auto token = unquoted(value.raw_json_token());
  try {
    return printable(unescaped(token));
  } catch (const std::invalid_argument&) {
    return printable(token);
  }
}
std::int64_t number_of(ondemand::value value) { return integer(value.raw_json_token()).value_or(absent); }

int int_or_0(std::int64_t value) {
  return value >= 0 && value <= std::numeric_limits<int>::max() ? static_cast<int>(value) : 0;
}

DeviceProperties read_device(ondemand::object object) {
  DeviceProperties device;
  for (ondemand::field field : object) {
    const ondemand::raw_json_string key = field.key();
    const ondemand::value value = field.value();
    if (key.is_equal("id")) device.id = number_of(value);
    if (key.is_equal("name")) device.name = text_of(value);
    if (key.is_equal("totalGlobalMem")) device.memory_bytes = number_of(value);
    if (key.is_equal("computeMajor")) device.compute_major = int_or_0(number_of(value));
    if (key.is_equal("computeMinor")) device.compute_minor = int_or_0(number_of(value));
    if (key.is_equal("numSms")) device.multiprocessors = int_or_0(number_of(value));
    if (key.is_equal("warpSize")) device.warp_size = int_or_0(number_of(value));
  }
  return device;
}

/// Anything but a clear no: a mark that was written otherwise is still one.
bool says_yes(ondemand::value value) {
  const auto token = trimmed(value.raw_json_token());
  return token != "false" && token != "null" && token != "0";
}

void read_devices(ondemand::value value, Trace& trace) {
  ondemand::array list;
  if (value.get_array().get(list) != simdjson::SUCCESS) return;
  for (ondemand::value entry : list) {
    ondemand::object device;
    if (entry.get_object().get(device) == simdjson::SUCCESS) trace.devices.push_back(read_device(device));
    if (!trace.devices.empty() && trace.devices.back().name.starts_with("simulated ")) trace.simulated = true;
  }
}

void read_distributed(ondemand::value value, Trace& trace) {
  ondemand::object object;
  if (value.get_object().get(object) != simdjson::SUCCESS) return;
  for (ondemand::field field : object) {
    const ondemand::raw_json_string key = field.key();
    if (key.is_equal("rank")) trace.rank = number_of(field.value());
    if (key.is_equal("world_size")) trace.world_size = number_of(field.value());
    if (key.is_equal("backend")) trace.backend = text_of(field.value());
  }
}

void read_events(ondemand::array list, ondemand::document& document, EventReader& reader) {
  for (ondemand::value entry : list) {
    ondemand::object event;
    if (entry.get_object().get(event) != simdjson::SUCCESS) reader.refuse_next();
    reader.read(event, document);
  }
}

/// The fields beside the list of events. True if there is such a list.
bool read_object(ondemand::document& document, Trace& trace, EventReader& reader) {
  bool found = false;
  ondemand::object root = document.get_object();
  for (ondemand::field field : root) {
    const ondemand::raw_json_string key = field.key();
    if (key.is_equal("traceEvents")) {
      ondemand::array list;
      if (field.value().get_array().get(list) != simdjson::SUCCESS)
        throw BadInput(fmt::format("{}: \"traceEvents\" is not a list", trace.file));
      read_events(list, document, reader);
      found = true;
    }
    if (key.is_equal("deviceProperties")) read_devices(field.value(), trace);
    if (key.is_equal("distributedInfo")) read_distributed(field.value(), trace);
    if (key.is_equal("record_shapes")) trace.shapes_recorded = number_of(field.value()) == 1;
    if (key.is_equal("simulated")) trace.simulated = says_yes(field.value());
  }
  return found;
}

void read_document(const Text& text, Trace& trace, EventReader& reader) {
  const bool marked = text.view().starts_with("\xef\xbb\xbf");  // a byte order mark
  const std::size_t skip = marked ? 3 : 0;
  ondemand::parser parser;
  ondemand::document document = parser.iterate(
      simdjson::padded_string_view(text.data.get() + skip, text.size - skip, text.capacity - skip));
  bool found = false;
  if (document.type() == ondemand::json_type::array) {
    read_events(document.get_array(), document, reader);
    found = true;
  } else if (document.type() == ondemand::json_type::object) {
    found = read_object(document, trace, reader);
  }
  if (!found)
    throw BadInput(fmt::format("{}: this JSON is not a trace: it has no list \"traceEvents\"", trace.file));
}

Trace parse(Text text, const std::string& file) {
  auto storage = std::make_shared<Storage>();
  storage->text = std::move(text);
  Trace trace;
  trace.file = file;
  trace.text = storage->text.view();
  constexpr std::size_t bytes_per_event = 256;  // about; growing step by step would touch twice the memory
  trace.events.reserve(trace.text.size() / bytes_per_event);
  EventReader reader(trace);
  try {
    read_document(storage->text, trace, reader);
  } catch (const simdjson::simdjson_error& error) {
    const auto where = reader.seen() == 0 ? "" : fmt::format(" after event {}", reader.seen());
    throw BadInput(fmt::format("{}: unreadable JSON{}: {}", file, where, error.what()));
  }
  if (trace.events.empty()) throw BadInput(fmt::format("{}: this trace has no events", file));
  storage->names = reader.finish();
  trace.names = std::move(storage->names.names);
  trace.storage = std::move(storage);
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
  return parse(load_text(file, limits), file.string());
}

Trace parse_trace(std::string_view json, const std::string& file) {
  Text text = make_text(json.size(), file);
  if (!json.empty()) std::memcpy(text.data.get(), json.data(), json.size());
  std::memset(text.data.get() + text.size, 0, text.capacity - text.size);
  return parse(std::move(text), file);
}

}  // namespace harness::trace
