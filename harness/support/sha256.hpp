#pragma once

#include <string>
#include <string_view>

namespace harness::inline support {

/// The SHA-256 of the bytes in hexadecimal; empty where the program was built without libmd.
std::string sha256(std::string_view bytes);

}  // namespace harness::inline support
