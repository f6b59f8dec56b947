#include "harness/support/usual_file.hpp"

#include <filesystem>

namespace harness::inline support {

std::string or_usual(const std::string& named, const char* usual) {
  std::error_code ignored;
  return named.empty() && std::filesystem::is_regular_file(usual, ignored) ? usual : named;
}

}  // namespace harness::inline support
