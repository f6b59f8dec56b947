#include "harness/support/terminal.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace harness::inline support {
namespace {

constexpr int narrowest = 60;  // below this no table can be read; lines wrap instead

std::string_view environment(const char* name) {
  const auto* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets it
  return value == nullptr ? std::string_view{} : std::string_view(value);
}

int columns_of(std::FILE* out) {
  int columns = 0;
  const auto text = environment("COLUMNS");
  std::from_chars(text.data(), text.data() + text.size(), columns);
  winsize size{};
  if (columns <= 0 && isatty(fileno(out)) != 0 && ioctl(fileno(out), TIOCGWINSZ, &size) == 0)
    columns = size.ws_col;
  if (columns <= 0) return Style{}.columns;
  return columns < narrowest ? narrowest : columns;
}

}  // namespace

bool is_terminal(std::FILE* out) { return isatty(fileno(out)) != 0 && environment("TERM") != "dumb"; }

Style style_of(std::FILE* out) {
  return {.colour = is_terminal(out) && environment("NO_COLOR").empty(), .columns = columns_of(out)};
}

}  // namespace harness::inline support
