#include "prices/nodes.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <fstream>
#include <string>

using namespace prices;

namespace {

/// A made-up /sys that goes away again.
class Tree {
 public:
  Tree() : root_(std::filesystem::temp_directory_path() / "tuneproof_nodes_test") {
    std::filesystem::remove_all(root_);
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() { std::filesystem::remove_all(root_); }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  harness::SystemFiles files() const { return harness::SystemFiles(root_); }

 private:
  std::filesystem::path root_;
};

}  // namespace

TEST_CASE("a list of processors is read with its ranges", "[prices]") {
  CHECK(parse_cpus("0-3,8") == std::vector{0, 1, 2, 3, 8});
  CHECK(parse_cpus("5") == std::vector{5});
  CHECK(parse_cpus("").empty());
  CHECK(parse_cpus("x").empty());
  CHECK(parse_cpus("1,x,2") == std::vector{1});
  CHECK(parse_cpus("2-").empty());
  CHECK(parse_cpus("0-99999999").empty());
}

TEST_CASE("nodes without processors are left out", "[prices]") {
  const Tree tree;
  tree.write("sys/devices/system/node/node0/cpulist", "0-1\n");
  tree.write("sys/devices/system/node/node1/cpulist", "2,3\n");
  tree.write("sys/devices/system/node/node2/cpulist", "\n");
  tree.write("sys/devices/system/node/nodes", "?");
  const auto nodes = read_nodes(tree.files());
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[0].id == 0);
  CHECK(nodes[1].cpus == std::vector{2, 3});
}

TEST_CASE("a node has the memory that is free and what old files take", "[prices]") {
  const Tree tree;
  tree.write("sys/devices/system/node/node3/cpulist", "0-1\n");
  tree.write("sys/devices/system/node/node3/meminfo",
             "Node 3 MemTotal:  4000 kB\nNode 3 MemFree:   1000 kB\nNode 3 Inactive(file):  24 kB\n");
  tree.write("sys/devices/system/node/node4/cpulist", "2\n");
  const auto nodes = read_nodes(tree.files());
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[0].free_bytes == 1024 * 1024);
  CHECK(nodes[1].free_bytes == 0);
}

TEST_CASE("a machine that does not say has no nodes", "[prices]") {
  const Tree tree;
  CHECK(read_nodes(tree.files()).empty());
}
