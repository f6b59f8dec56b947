#include "workloads/stgym/data/memory.hpp"

#include "harness/core/setup.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <system_error>
#include <vector>

namespace {

using namespace workloads::stgym;

/// A folder that stands for "/", with 8 GiB available to the machine and a control group /a/b.
class Root {
 public:
  Root() {
    auto pattern = (std::filesystem::temp_directory_path() / "memory.XXXXXX").string();
    path_ = mkdtemp(pattern.data());
    write("proc/meminfo", "MemTotal: 99999999 kB\nMemAvailable:    8388608 kB\nSwapTotal: 0 kB\n");
    write("proc/self/cgroup", "1:name=old:/x\n0::/a/b\n");
  }
  /// File by file: LibTorch exports a remove_all of an older standard library, which crashes here.
  ~Root() {
    std::error_code kept;
    for (auto path : written_)
      for (; path != path_.parent_path(); path = path.parent_path()) std::filesystem::remove(path, kept);
  }
  Root(const Root&) = delete;
  Root& operator=(const Root&) = delete;

  void write(const std::string& name, const std::string& text) {
    written_.push_back(path_ / name);
    std::filesystem::create_directories(written_.back().parent_path());
    std::ofstream(written_.back()) << text;
  }
  std::size_t available() const { return available_memory(path_.string()); }

 private:
  std::filesystem::path path_;
  std::vector<std::filesystem::path> written_;
};

constexpr std::size_t gib = std::size_t{1} << 30;

}  // namespace

TEST_CASE("without a control group's limit the machine's available memory counts") {
  Root root;
  CHECK(root.available() == 8 * gib);
  root.write("sys/fs/cgroup/a/b/memory.max", "max\n");
  root.write("sys/fs/cgroup/a/b/memory.current", "1000\n");
  CHECK(root.available() == 8 * gib);
}

TEST_CASE("a control group leaves what its limit is above its use, pages of files aside") {
  Root root;
  root.write("sys/fs/cgroup/a/b/memory.max", std::to_string(4 * gib));
  root.write("sys/fs/cgroup/a/b/memory.current", std::to_string(3 * gib));
  CHECK(root.available() == gib);
  root.write("sys/fs/cgroup/a/b/memory.stat", "anon 5\ninactive_file " + std::to_string(2 * gib) + "\n");
  CHECK(root.available() == 3 * gib);
}

TEST_CASE("the limit of a group above holds for the groups in it") {
  Root root;
  root.write("sys/fs/cgroup/a/memory.max", std::to_string(2 * gib));
  root.write("sys/fs/cgroup/a/memory.current", "0");
  CHECK(root.available() == 2 * gib);
}

TEST_CASE("in a container the group is the top") {
  Root root;
  root.write("proc/self/cgroup", "0::/\n");
  root.write("sys/fs/cgroup/memory.max", std::to_string(gib));
  root.write("sys/fs/cgroup/memory.current", "0");
  CHECK(root.available() == gib);
}

TEST_CASE("what a group uses beyond its limit leaves nothing") {
  Root root;
  root.write("sys/fs/cgroup/a/b/memory.max", "1000");
  root.write("sys/fs/cgroup/a/b/memory.current", "2000");
  CHECK(root.available() == 0);
}

TEST_CASE("where nothing is known nothing is refused") {
  CHECK(available_memory("/a folder that is not there") == std::numeric_limits<std::size_t>::max());
  CHECK_NOTHROW(require_memory(1));
}

TEST_CASE("more than there is is a skipped step") {
  CHECK_THROWS_AS(require_memory(std::size_t{1} << 60), harness::Skip);
}

TEST_CASE("pinned memory is taken in powers of two") {
  CHECK(pinned_bytes(4096) == 4096);
  CHECK(pinned_bytes(4097) == 8192);
  CHECK(pinned_bytes(std::size_t{5'714'648'000}) == std::size_t{8} << 30);
}
