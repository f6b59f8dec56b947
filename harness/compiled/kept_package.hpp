// The files of a finished package: PACKAGE.pt2, its note PACKAGE.json, and PACKAGE.pt2.txt, which `explain`
// shows.
#pragma once

#include "harness/compiled/make_package.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace harness::compiled {

/// The package of the note, if both are there and are what was written; of one that is not, hears why.
std::optional<Made> kept_package(const std::filesystem::path& note,
                                 const std::function<void(const std::string&)>& hears);

/// Moves the files out of the folder that they were made in to their place. The note comes last: with it the
/// package counts. Throws BadInput where that cannot be done.
void keep_package(const std::filesystem::path& made_in, const std::filesystem::path& note);

/// Empty where the program has no SHA-256. Throws BadInput where the package cannot be read.
std::string hash_of(const std::filesystem::path& package);

}  // namespace harness::compiled
