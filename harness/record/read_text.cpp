#include "harness/record/read_text.hpp"

#include "harness/setup.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>

namespace harness {

std::string read_text(const std::filesystem::path& file, std::uint64_t most_bytes) {
  constexpr std::size_t piece = std::size_t{1} << 20;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw BadInput(file.string() + ": cannot be read: " + std::generic_category().message(errno));
  std::string text;
  while (in) {  // not by its size: a pipe has none
    const auto before = text.size();
    text.resize(before + piece);
    in.read(text.data() + before, piece);
    text.resize(before + static_cast<std::size_t>(in.gcount()));
    if (text.size() > most_bytes)
      throw BadInput(fmt::format("{}: is too large: more than {} MiB", file.string(), most_bytes >> 20));
  }
  if (!in.eof()) throw BadInput(file.string() + ": cannot be read");
  return text;
}

}  // namespace harness
