#include "harness/compiled/kept_package.hpp"

#include "harness/support/field.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/sha256.hpp"

#include <cstdint>
#include <string_view>
#include <system_error>

namespace harness::compiled {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_note_bytes = 1 << 20;
constexpr std::uint64_t most_package_bytes = std::uint64_t{4} << 30;

fs::path with_extension(fs::path note, std::string_view extension) {
  return note.replace_extension(extension);
}

/// Throws BadInput where the note or the package is not what was written.
Made checked(const fs::path& note, const fs::path& package) {
  const auto json = parse_json(read_text(note, most_note_bytes), note.string());
  const Field made(json, note.string());
  const auto name = made.find("name");  // notes of older programs have none, and no hash
  if (name && name->text() != note.stem())
    throw BadInput(note.string() + ": is the note of " + name->text() + ", for another function or machine");
  const auto hash = made.find("sha256");
  if (hash && hash->text() != hash_of(package))
    throw BadInput(package.string() + ": is not the package that its note speaks of");
  return {package, made["seconds"].number()};
}

void move_to(const fs::path& place, const fs::path& made_in) {
  std::error_code failed;
  fs::rename(made_in / place.filename(), place, failed);
  if (failed) throw BadInput(place.string() + ": cannot be written: " + failed.message());
}

}  // namespace

std::optional<Made> kept_package(const fs::path& note, const std::function<void(const std::string&)>& hears) {
  const auto package = with_extension(note, ".pt2");
  std::error_code ignored;
  if (!fs::exists(note, ignored) || !fs::exists(package, ignored)) return std::nullopt;
  try {
    return checked(note, package);
  } catch (const BadInput& error) {
    hears(error.what());
    return std::nullopt;
  }
}

void keep_package(const fs::path& made_in, const fs::path& note) {
  for (const auto* extension : {".pt2.txt", ".pt2", ".json"})
    move_to(with_extension(note, extension), made_in);
}

std::string hash_of(const fs::path& package) { return sha256(read_text(package, most_package_bytes)); }

}  // namespace harness::compiled
