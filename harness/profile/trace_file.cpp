#include "harness/profile/trace_file.hpp"

#include "harness/core/setup.hpp"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace harness::profile {
namespace {

constexpr int compression_level = 6;  // gzip's own default

[[noreturn]] void fail(const std::filesystem::path& file, std::string_view what, int error = errno) {
  throw BadInput(fmt::format("{}: {}: {}", file.string(), what, std::generic_category().message(error)));
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  // The profiler says nothing when it cannot write.
  if (!in.is_open() || text.empty())
    fail(file.parent_path(), "the profiler could not write its trace", ENOSPC);
  if (!in.good() && !in.eof()) fail(file, "cannot be read");
  return text;
}

/// Kineto notes the path that it wrote to, which is about to vanish.
void name_trace(std::string& json, const std::string& name) {
  constexpr std::string_view key = "\"traceName\": \"";
  const auto at = json.rfind(key);
  if (at == json.npos) return;
  const auto begin = at + key.size();
  const auto end = json.find('"', begin);
  if (end != json.npos) json.replace(begin, end - begin, name);
}

std::string packed(const std::string& text) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(compression_level), libdeflate_free_compressor);
  std::string out(libdeflate_gzip_compress_bound(compressor.get(), text.size()), '\0');
  out.resize(libdeflate_gzip_compress(compressor.get(), text.data(), text.size(), out.data(), out.size()));
  return out;
}

void write(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << bytes;
  out.close();
  if (!out) fail(file, "cannot be written");
}

/// False where `to` exists already.
bool move_to_new(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  // Some file systems know no such rename; a link does not replace anything either.
  if (errno == EINVAL && link(from.c_str(), to.c_str()) == 0) return unlink(from.c_str()) == 0;
  if (errno == EEXIST) return false;
  fail(to, "cannot be written");
}

}  // namespace

std::string file_name_of(const std::string& row) {
  auto name = row;
  std::ranges::replace(name, '/', '-');
  std::ranges::replace(name, ':', '_');
  return name;
}

std::filesystem::path keep_trace(const std::filesystem::path& json, const std::filesystem::path& folder,
                                 const std::string& name) {
  using std::chrono::milliseconds;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  auto stamp = std::chrono::duration_cast<milliseconds>(now).count();
  auto text = contents(json);
  std::filesystem::remove(json);
  auto partial = json;
  partial += ".gz";
  for (;; ++stamp) {
    const auto final_name = fmt::format("{}.{}.pt.trace.json", name, stamp);
    name_trace(text, final_name);
    write(partial, packed(text));
    const auto file = folder / (final_name + ".gz");
    if (move_to_new(partial, file)) return file;
  }
}

}  // namespace harness::profile
