#include "harness/machine/available_memory.hpp"

#include "tests/harness/machine/made_up_tree.hpp"

#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <string>

namespace {

using namespace harness;

/// A folder that stands for "/", with 8 GiB available to the machine and a control group /a/b.
class Root {
 public:
  Root() {
    write("proc/meminfo", "MemTotal: 99999999 kB\nMemAvailable:    8388608 kB\nSwapTotal: 0 kB\n");
    write("proc/self/cgroup", "1:name=old:/x\n0::/a/b\n");
  }
  void write(const std::string& name, const std::string& text) const { tree_.put(name, text); }
  std::size_t available() const { return available_memory(SystemFiles(tree_.root())); }

 private:
  example::MadeUpTree tree_;
};

constexpr std::size_t gib = std::size_t{1} << 30;

TEST_CASE("without a control group's limit the machine's available memory counts", "[machine]") {
  Root root;
  CHECK(root.available() == 8 * gib);
  root.write("sys/fs/cgroup/a/b/memory.max", "max\n");
  root.write("sys/fs/cgroup/a/b/memory.current", "1000\n");
  CHECK(root.available() == 8 * gib);
}

TEST_CASE("a control group leaves what its limit is above its use, pages of files aside", "[machine]") {
  Root root;
  root.write("sys/fs/cgroup/a/b/memory.max", std::to_string(4 * gib));
  root.write("sys/fs/cgroup/a/b/memory.current", std::to_string(3 * gib));
  CHECK(root.available() == gib);
  root.write("sys/fs/cgroup/a/b/memory.stat", "anon 5\ninactive_file " + std::to_string(2 * gib) + "\n");
  CHECK(root.available() == 3 * gib);
}

TEST_CASE("the limit of a group above holds for the groups in it", "[machine]") {
  Root root;
  root.write("sys/fs/cgroup/a/memory.max", std::to_string(2 * gib));
  root.write("sys/fs/cgroup/a/memory.current", "0");
  CHECK(root.available() == 2 * gib);
}

TEST_CASE("in a container the group is the top", "[machine]") {
  Root root;
  root.write("proc/self/cgroup", "0::/\n");
  root.write("sys/fs/cgroup/memory.max", std::to_string(gib));
  root.write("sys/fs/cgroup/memory.current", "0");
  CHECK(root.available() == gib);
}

TEST_CASE("what a group uses beyond its limit leaves nothing", "[machine]") {
  Root root;
  root.write("sys/fs/cgroup/a/b/memory.max", "1000");
  root.write("sys/fs/cgroup/a/b/memory.current", "2000");
  CHECK(root.available() == 0);
}

TEST_CASE("where nothing is known there is no limit", "[machine]") {
  CHECK(available_memory(SystemFiles("/a folder that is not there")) ==
        std::numeric_limits<std::size_t>::max());
}

}  // namespace
