#include "tests/folder.hpp"

#include "harness/support/run_program.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <string>

namespace {

using namespace harness;

/// The process is in the folder while it lives.
class In {
 public:
  explicit In(const std::filesystem::path& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  In(const In&) = delete;
  In& operator=(const In&) = delete;
  ~In() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
};

TEST_CASE("a script of ours imports no module of the current folder, and gets its arguments",
          "[python_script]") {
  const tests::Folder folder;
  folder.write("json.py", "print('a stranger')\n");
  const In inside(folder.path());
  for (const auto* path : {"PYTHONPATH=", "PYTHONPATH=:/nowhere", "PYTHONPATH=."}) {
    auto command = python_script("python3", "import json; print(json.dumps(sys.argv[1:]))", {"one", "two"});
    command.environment.emplace_back(path);
    CHECK(run_program(command, "").output == "[\"one\", \"two\"]\n");
  }
}

TEST_CASE("a script of ours finds the modules of PYTHONPATH", "[python_script]") {
  const tests::Folder folder;
  folder.write("of_the_user.py", "word = 'found'\n");
  auto command = python_script("python3", "import of_the_user; print(of_the_user.word)");
  command.environment.push_back("PYTHONPATH=" + folder.path().string());
  CHECK(run_program(command, "").output == "found\n");
}

}  // namespace
