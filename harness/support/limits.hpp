#pragma once

#include <exception>
#include <string>

namespace harness::inline support {

/// The first thing that a program of ours does: where the surroundings allow too little to work in, throws
/// BadInput that names what is missing and how to get it. A file that may grow no further is then an error of
/// the write, which keeps the old file, and no signal that ends the program. Memory that runs out where no
/// exception may pass ends it with a sentence, too.
void require_surroundings();

/// Says on standard error, behind the program's name, that memory has run out; takes none for it.
void tell_no_memory();

/// What an exception that nobody has caught says to a reader: one of the file system or of JSON without its
/// own name and number.
std::string sentence_of(const std::exception& error);

}  // namespace harness::inline support
