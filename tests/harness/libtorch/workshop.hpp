// What make_package needs of a machine, made up.
#pragma once

#include "tests/folder.hpp"

#include "harness/libtorch/make_package.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace tests {

inline void write_program(const std::filesystem::path& file, const std::string& body) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << "#!/bin/sh\n" << body;
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
}

/// A Python of our own beside a LibTorch, a compiler that says its version, and an empty cache.
struct Workshop {
  Workshop() {
    write_program(folder.path() / "c++", "echo made-up compiler 1.0\n");
    setenv("CXX", (folder.path() / "c++").c_str(), 1);
    setenv("XDG_CACHE_HOME", (folder.path() / "cache").c_str(), 1);
    python("echo called >> " + calls().string() + "; echo code > $3; echo '{\"seconds\": 2.5}'\n");
  }
  /// In its body $3 is the package; what the compiler wrote lies beside it already.
  void python(const std::string& body) const {
    write_program(folder.path() / "bin/python3.11",
                  "cat > " + job().string() + "; echo source > $3.txt; " + body);
  }
  std::filesystem::path calls() const { return folder.path() / "calls"; }
  std::filesystem::path job() const { return folder.path() / "job.json"; }
  harness::PythonTorch torch() const {
    return {"2.11.0", folder.path() / "lib/python3.11/site-packages/torch/lib/libtorch_cpu.so"};
  }
  int times_called() const {
    std::ifstream lines(calls());
    int count = 0;
    for (std::string line; std::getline(lines, line);) ++count;
    return count;
  }
  Folder folder;
};

inline harness::PackageOrder small_order() {
  return {.step = "compile/made_up",
          .source = "def step(x):\n    return (x,)\n",
          .inputs = {{"float32", {4}}},
          .device = {}};
}

}  // namespace tests
