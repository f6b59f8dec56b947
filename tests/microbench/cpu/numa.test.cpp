#include "microbench/cpu/numa.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <ftw.h>
#include <string>
#include <vector>

namespace {

using namespace microbench;

/// A folder like /sys/devices/system/node, gone with its owner.
class FakeNodes {
 public:
  FakeNodes() {
    auto name = (std::filesystem::temp_directory_path() / "tuneproof-nodes-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  FakeNodes(const FakeNodes&) = delete;
  FakeNodes& operator=(const FakeNodes&) = delete;
  // Not std::filesystem::remove_all: LibTorch brings a half of it that ends in a null pointer.
  ~FakeNodes() {
    nftw(
        path.c_str(), [](const char* file, const struct stat*, int, FTW*) { return std::remove(file); }, 8,
        FTW_DEPTH | FTW_PHYS);
  }
  void put(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((path / file).parent_path());
    std::ofstream(path / file) << text << '\n';
  }
  std::filesystem::path path;
};

TEST_CASE("a list of CPUs is read as the kernel writes it", "[numa]") {
  CHECK(read_list("0") == std::vector{0});
  CHECK(read_list("0-3,8\n") == std::vector{0, 1, 2, 3, 8});
  CHECK(read_list("2,4-5,7") == std::vector{2, 4, 5, 7});
  CHECK(read_list("").empty());
  CHECK(read_list("\n").empty());
}

TEST_CASE("a node without memory or without a CPU for this process is left out", "[numa]") {
  const auto mine = std::to_string(cpus_in(affinity()).front());
  const FakeNodes nodes;
  nodes.put("has_memory", "0-1,3");
  nodes.put("node0/cpulist", mine);
  nodes.put("node1/cpulist", "");
  nodes.put("node2/cpulist", mine);
  nodes.put("node3/cpulist", mine);
  const auto found = numa_nodes(nodes.path);
  REQUIRE(found.size() == 2);
  CHECK(found[0].number == 0);
  CHECK(found[1].number == 3);
  CHECK(CPU_COUNT(&found[0].cpus) == 1);
}

TEST_CASE("a machine that tells nothing of nodes has none", "[numa]") {
  CHECK(numa_nodes(FakeNodes().path).empty());
}

}  // namespace
