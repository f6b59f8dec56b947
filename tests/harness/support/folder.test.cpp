#include "harness/core/setup.hpp"
#include "harness/support/read_text.hpp"
#include "harness/support/scratch_folder.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>

#include <fstream>
#include <string>
#include <vector>

namespace {

using namespace harness;

std::vector<std::string> names_in(const std::filesystem::path& folder, Depth depth = Depth::one) {
  std::vector<std::string> names;
  for (const auto& file : files_in(folder, is_json_name, depth))
    names.push_back(file.lexically_relative(folder).string());
  return names;
}

TEST_CASE("Results go by names that end in .json, packed or not", "[read_text]") {
  CHECK(is_json_name("results/r.json"));
  CHECK(is_json_name("results/r.json.gz"));
  CHECK_FALSE(is_json_name("results/README.md"));
  CHECK_FALSE(is_json_name("results/trace.gz"));
}

TEST_CASE("files come by name, and folders and other names not at all", "[folder]") {
  const ScratchFolder folder(std::filesystem::temp_directory_path());
  const auto root = folder.path();
  std::filesystem::create_directories(root / "folder.json");
  for (const auto* name : {"b.json", "a.json.gz", "notes.txt", "folder.json/c.json"})
    std::ofstream(root / name) << 1;
  CHECK(names_in(root) == std::vector<std::string>{"a.json.gz", "b.json"});
  CHECK(names_in(root, Depth::all) == std::vector<std::string>{"a.json.gz", "b.json", "folder.json/c.json"});
}

TEST_CASE("a link that leads nowhere is a file that somebody will miss, first or last", "[folder]") {
  const ScratchFolder folder(std::filesystem::temp_directory_path());
  for (const auto* name : {"a.json", "z.json"}) {
    std::filesystem::create_symlink("/nowhere", folder.path() / name);
    std::ofstream(folder.path() / "m.json") << 1;
    CHECK(names_in(folder.path()) == (name[0] == 'a' ? std::vector<std::string>{"a.json", "m.json"}
                                                     : std::vector<std::string>{"m.json", "z.json"}));
    std::filesystem::remove(folder.path() / name);
  }
}

TEST_CASE("a folder that is not there is named", "[folder]") {
  CHECK_THROWS_WITH(files_in("/nowhere", is_json_name),
                    "/nowhere: cannot be read: No such file or directory");
}

}  // namespace
