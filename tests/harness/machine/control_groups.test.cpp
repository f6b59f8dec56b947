#include "tests/harness/machine/made_up_tree.hpp"

#include "harness/machine/host.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace harness {
namespace {

using Folders = std::vector<std::string>;

TEST_CASE("control groups are followed from the process's own to the top, in either version", "[machine]") {
  const example::MadeUpTree tree;
  tree.put("proc/self/cgroup", "9:name=systemd:/x\n4:cpu,cpuacct:/pod/half\n0::/a/b/\n");
  CHECK(control_groups(tree.files()) == Folders{"sys/fs/cgroup/a/b", "sys/fs/cgroup/a", "sys/fs/cgroup"});
  CHECK(control_groups(tree.files(), "cpu") ==
        Folders{"sys/fs/cgroup/cpu/pod/half", "sys/fs/cgroup/cpu/pod", "sys/fs/cgroup/cpu"});
}

TEST_CASE("the top is the only control group in a container, and where nothing is known", "[machine]") {
  const example::MadeUpTree tree;
  CHECK(control_groups(tree.files()) == Folders{"sys/fs/cgroup"});
  tree.put("proc/self/cgroup", "0::/\n");
  CHECK(control_groups(tree.files()) == Folders{"sys/fs/cgroup"});
  tree.put("proc/self/cgroup", "no colon\n");
  CHECK(control_groups(tree.files(), "cpu") == Folders{"sys/fs/cgroup/cpu"});
}

}  // namespace
}  // namespace harness
