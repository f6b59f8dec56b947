#include "harness/machine/numa.hpp"

#include "tests/harness/machine/made_up_tree.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace harness;
using example::MadeUpTree;

namespace {

const std::vector<int> first_four{0, 1, 2, 3};

}  // namespace

TEST_CASE("a list of processors is read with its ranges", "[numa]") {
  CHECK(parse_cpus("0-3,8") == std::vector{0, 1, 2, 3, 8});
  CHECK(parse_cpus("2,4-5,7\n") == std::vector{2, 4, 5, 7});
  CHECK(parse_cpus("").empty());
  CHECK(parse_cpus("x").empty());
  CHECK(parse_cpus("1,x,2") == std::vector{1});
  CHECK(parse_cpus("2-").empty());
  CHECK(parse_cpus("0-99999999").empty());
}

TEST_CASE("a node without memory or without a processor that may be used is left out", "[numa]") {
  const MadeUpTree tree;
  tree.put("sys/devices/system/node/has_memory", "0-1,3-4\n");
  tree.put("sys/devices/system/node/node0/cpulist", "0-1\n");
  tree.put("sys/devices/system/node/node1/cpulist", "\n");
  tree.put("sys/devices/system/node/node2/cpulist", "2\n");
  tree.put("sys/devices/system/node/node3/cpulist", "3-5\n");
  tree.put("sys/devices/system/node/node4/cpulist", "6-7\n");
  const auto nodes = numa_nodes(tree.files(), first_four);
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[0].id == 0);
  CHECK(nodes[0].cpus == std::vector{0, 1});
  CHECK(nodes[1].id == 3);
  CHECK(nodes[1].cpus == std::vector{3});
}

TEST_CASE("a node has the memory that is free and what old files take", "[numa]") {
  const MadeUpTree tree;
  tree.put("sys/devices/system/node/has_memory", "2-3\n");
  tree.put("sys/devices/system/node/node3/cpulist", "0-1\n");
  tree.put("sys/devices/system/node/node3/meminfo",
           "Node 3 MemTotal:  4000 kB\nNode 3 MemFree:   1000 kB\nNode 3 Inactive(file):  24 kB\n");
  tree.put("sys/devices/system/node/node2/cpulist", "2\n");
  const auto nodes = numa_nodes(tree.files(), first_four);
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[0].free_bytes == 0);
  CHECK(nodes[1].free_bytes == 1024 * 1024);
}

TEST_CASE("a machine that does not say has no nodes", "[numa]") {
  CHECK(numa_nodes(MadeUpTree().files(), first_four).empty());
}

TEST_CASE("a thread that was moved goes back to where it might run before", "[numa]") {
  const auto before = cpus_of_this_thread();
  REQUIRE_FALSE(before.empty());
  {
    const StayOn there(NumaNode{.cpus = {before.back()}});
    CHECK(cpus_of_this_thread() == std::vector{before.back()});
  }
  CHECK(cpus_of_this_thread() == before);
}

TEST_CASE("a PCI device hangs on the node that the system names, if there are several", "[numa]") {
  const MadeUpTree tree;
  tree.put("sys/bus/pci/devices/0000:3b:00.0/numa_node", "1\n");
  tree.put("sys/bus/pci/devices/0000:5e:00.0/numa_node", "-1\n");
  const std::vector<NumaNode> two{{0, {0, 1}}, {1, {2, 3}}};
  const auto node = node_of(tree.files(), "0000:3B:00.0", two);  // as CUDA writes it
  REQUIRE(node);
  CHECK(node->cpus == std::vector{2, 3});
  CHECK_FALSE(node_of(tree.files(), "0000:5E:00.0", two));
  CHECK_FALSE(node_of(tree.files(), "0000:af:00.0", two));
  CHECK_FALSE(node_of(tree.files(), "0000:3B:00.0", std::span(two).first(1)));
}
