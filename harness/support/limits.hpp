#pragma once

namespace harness::inline support {

/// The first thing that a program of ours does: where the surroundings allow too little to work in, throws
/// BadInput that names what is missing and how to get it. A file that may grow no further is then an error of
/// the write, which keeps the old file, and no signal that ends the program.
void require_surroundings();

}  // namespace harness::inline support
