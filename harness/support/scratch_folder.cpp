#include "harness/support/scratch_folder.hpp"

#include "harness/core/setup.hpp"

#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace harness::inline support {
namespace {

[[noreturn]] void refuse(const std::filesystem::path& folder, const std::string& what, int error) {
  throw BadInput(folder.string() + ": " + what + ": " + std::generic_category().message(error));
}

}  // namespace

ScratchFolder::ScratchFolder(const std::filesystem::path& parent) {
  std::error_code error;
  std::filesystem::create_directories(parent, error);
  if (error) refuse(parent, "cannot create the folder", error.value());
  auto name = (parent / ".tuneproof-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) refuse(parent, "cannot write to it", errno);
  path_ = std::filesystem::absolute(name);
}

ScratchFolder::~ScratchFolder() {
  std::error_code nothing_to_be_done;
  std::filesystem::remove_all(path_, nothing_to_be_done);
}

}  // namespace harness::inline support
