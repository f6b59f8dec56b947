#include "prices/out_file.hpp"

#include "harness/core/setup.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

namespace prices {
namespace {

/// A pipe, a terminal, /dev/null.
bool is_special(const std::filesystem::path& file) {
  std::error_code ignored;  // what is not there is an ordinary file to be
  const auto status = std::filesystem::status(file, ignored);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

[[noreturn]] void cannot_write(const std::filesystem::path& file, int error) {
  throw harness::BadInput(file.string() + ": cannot be written: " + std::generic_category().message(error));
}

}  // namespace

OutFile::OutFile(const std::filesystem::path& file)
    : name_(file), memory_(harness::nameless_file("benchmark_out")) {
  place_ = "/proc/self/fd/" + std::to_string(memory_.get());
  if (!is_special(file))
    file_.emplace(file);
  else if (access(file.c_str(), W_OK) != 0)
    cannot_write(file, errno);
}

void OutFile::keep() const {
  std::ifstream written(place_);
  const std::string text(std::istreambuf_iterator<char>(written), {});
  if (!text.empty()) keep(text);
}

void OutFile::keep(std::string_view text) const {
  if (file_) return file_->write(text);
  std::ofstream special(name_);
  if (!special.write(text.data(), static_cast<std::streamsize>(text.size())).flush())
    cannot_write(name_, errno);
}

}  // namespace prices
