#include "tests/harness/machine/made_up_tree.hpp"

#include "harness/run/doctor.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

using namespace harness;
using namespace harness::run;
using example::MadeUpTree;

namespace {

Check check(const MadeUpTree& tree, const std::string& name) {
  const auto checks = host_checks(tree.files());
  const auto found = std::ranges::find(checks, name, &Check::name);
  return found == checks.end() ? Check{.name = "missing"} : *found;
}

/// The check of a tree with one file.
Check check_of(const std::string& name, const std::string& path, const std::string& text) {
  const MadeUpTree tree;
  tree.put(path, text);
  return check(tree, name);
}

constexpr auto two_threads_of_a_core =
    "processor\t: 0\nmodel name\t: A CPU\nphysical id\t: 0\ncore id\t\t: 0\nflags\t\t: fpu sse hypervisor "
    "avx\n\n"
    "processor\t: 1\nmodel name\t: A CPU\nphysical id\t: 0\ncore id\t\t: 0\nflags\t\t: fpu sse hypervisor "
    "avx\n";

}  // namespace

TEST_CASE("on a machine that says nothing every check is unknown, and nothing is to be fixed", "[doctor]") {
  const MadeUpTree empty;
  for (const auto& check : host_checks(empty.files())) {
    CAPTURE(check.name);
    CHECK(check.fitness == Fitness::unknown);
    CHECK(check.fix.empty());
    if (check.value.empty()) CHECK(check.matters.find("does not say") != check.matters.npos);
  }
}

TEST_CASE("files without meaning are unknown, never a crash", "[doctor]") {
  const MadeUpTree tree;
  for (const auto* path : {"proc/cpuinfo", "proc/loadavg", "proc/meminfo", "proc/stat", "proc/self/status",
                           "sys/fs/cgroup/cpu.max", "sys/devices/system/cpu/cpufreq/boost",
                           "sys/kernel/mm/transparent_hugepage/enabled"})
    tree.put(path, "\x01 ] [ :\n\n");
  for (const auto& check : host_checks(tree.files())) CHECK(check.fitness != Fitness::bad);
}

TEST_CASE("a CPU with two threads a core is named, with what that means for --threads", "[doctor]") {
  const auto cpu = check_of("cpu", "proc/cpuinfo", two_threads_of_a_core);
  CHECK(cpu.value == "A CPU, 2 hardware threads on 1 cores");
  CHECK(cpu.fitness == Fitness::note);
}

TEST_CASE("a hypervisor is seen in the CPU's flags, as a word of its own", "[doctor]") {
  CHECK(check_of("virtual", "proc/cpuinfo", two_threads_of_a_core).fitness == Fitness::note);
  CHECK(check_of("virtual", "proc/cpuinfo", "flags : fpu hypervisors\n").fitness == Fitness::good);
}

TEST_CASE("any governor but performance is to be fixed", "[doctor]") {
  const std::string path = "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
  CHECK(check_of("frequency", path, "performance\n").fitness == Fitness::good);
  const auto powersave = check_of("frequency", path, "powersave\n");
  CHECK(powersave.fitness == Fitness::warn);
  CHECK(powersave.fix == "sudo cpupower frequency-set -g performance");
}

TEST_CASE("turbo is read from Intel's and from AMD's file, which mean the opposite", "[doctor]") {
  CHECK(check_of("turbo", "sys/devices/system/cpu/intel_pstate/no_turbo", "0\n").value == "on");
  CHECK(check_of("turbo", "sys/devices/system/cpu/intel_pstate/no_turbo", "1\n").value == "off");
  CHECK(check_of("turbo", "sys/devices/system/cpu/cpufreq/boost", "1\n").value == "on");
}

TEST_CASE("a busy machine is one whose load is above 15 % of its CPUs", "[doctor]") {
  const MadeUpTree tree;
  for (const auto* name : {"cpu0", "cpu1", "cpu10", "cpufreq", "cpuidle"})
    tree.put(std::string("sys/devices/system/cpu/") + name + "/x", "");
  tree.put("proc/loadavg", "0.44 0.90 0.80 1/100 1234\n");
  CHECK(check(tree, "load").fitness == Fitness::good);
  CHECK(check(tree, "load").value == "0.44 on 3 CPUs in the last minute");
  tree.put("proc/loadavg", "0.46 0.1 0.1 1/100 1234\n");
  CHECK(check(tree, "load").fitness == Fitness::warn);
}

TEST_CASE("what is well has no reason beside it", "[doctor]") {
  CHECK(check_of("stolen time", "proc/stat", "cpu  100 0 0 900 0 0 0 0 20 0\n").matters.empty());
}

TEST_CASE("doctor names the next command, and on a busy machine it is not prices", "[doctor]") {
  const Style style;
  const Check calm{.name = "load", .fitness = Fitness::good, .value = "0"};
  const auto fit = doctor_text({calm}, style);
  CHECK(fit.find("fit for measuring.\nNext: tuneproof prices --quick\n") != fit.npos);
  const Check busy{.name = "load", .fitness = Fitness::warn, .value = "8"};
  const auto spoiled = doctor_text({busy}, style);
  CHECK(spoiled.find("usable, but too busy for prices now.\nNext: tuneproof doctor, once") != spoiled.npos);
  CHECK(spoiled.find("prices --quick") == spoiled.npos);
}

TEST_CASE("a quota of CPU time is found in either version of control groups", "[doctor]") {
  CHECK(check_of("cpu quota", "sys/fs/cgroup/cpu.max", "150000 100000\n").value == "1.5 CPUs");
  CHECK(check_of("cpu quota", "sys/fs/cgroup/cpu.max", "max 100000\n").fitness == Fitness::good);
  MadeUpTree nested;
  nested.put("proc/self/cgroup", "1:name=x:/\n0::/a.slice\n");
  nested.put("sys/fs/cgroup/a.slice/cpu.max", "50000 100000\n");
  CHECK(check(nested, "cpu quota").value == "0.5 CPUs");
  MadeUpTree first;
  first.put("proc/self/cgroup", "4:cpu,cpuacct:/\n");
  first.put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  first.put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  CHECK(check(first, "cpu quota").value == "none");
  first.put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "200000\n");
  CHECK(check(first, "cpu quota").value == "2 CPUs");
}

TEST_CASE("the least quota of a group and of those above it counts", "[doctor]") {
  MadeUpTree first;
  first.put("proc/self/cgroup", "9:name=systemd:/\n2:cpuacct:/\n1:cpu:/pod/half\n0::/\n");
  first.put("sys/fs/cgroup/cpu/pod/half/cpu.cfs_quota_us", "5000\n");
  first.put("sys/fs/cgroup/cpu/pod/half/cpu.cfs_period_us", "10000\n");
  CHECK(check(first, "cpu quota").value == "0.5 CPUs");
  MadeUpTree above;
  above.put("proc/self/cgroup", "0::/pod/container\n");
  above.put("sys/fs/cgroup/pod/container/cpu.max", "max 100000\n");
  above.put("sys/fs/cgroup/pod/cpu.max", "300000 100000\n");
  CHECK(check(above, "cpu quota").value == "3 CPUs");
  above.put("sys/fs/cgroup/pod/container/cpu.max", "100000 100000\n");
  CHECK(check(above, "cpu quota").value == "1 CPUs");
}

TEST_CASE("stolen time is the eighth number of the first line", "[doctor]") {
  CHECK(check_of("stolen time", "proc/stat", "cpu  100 0 0 880 0 0 0 20 0 0\n").value == "2.0 % since boot");
  CHECK(check_of("stolen time", "proc/stat", "cpu  100 0 0 880 0 0 0 20 0 0\n").fitness == Fitness::warn);
  CHECK(check_of("stolen time", "proc/stat", "cpu  100 0 0 900 0 0 0 0 20 0\n").fitness == Fitness::good);
  CHECK(check_of("stolen time", "proc/stat", "cpu  100 0\n").fitness == Fitness::unknown);
}

TEST_CASE("fewer CPUs than the machine has are noted", "[doctor]") {
  MadeUpTree tree;
  tree.put("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-1\n");
  tree.put("sys/devices/system/cpu/online", "0-3\n");
  CHECK(check(tree, "affinity").fitness == Fitness::note);
  tree.put("sys/devices/system/cpu/online", "0-1\n");
  CHECK(check(tree, "affinity").fitness == Fitness::good);
}

TEST_CASE("memory that cannot hold the data set at full size is noted", "[doctor]") {
  CHECK(check_of("memory", "proc/meminfo", "MemTotal: 9 kB\nMemAvailable:   4194304 kB\n").value ==
        "4.00 GiB available");
  CHECK(check_of("memory", "proc/meminfo", "MemAvailable: 64194304 kB\n").fitness == Fitness::good);
}

TEST_CASE("several NUMA nodes are noted, and the chosen huge page mode is the one in brackets", "[doctor]") {
  MadeUpTree tree;
  tree.put("sys/devices/system/node/node0/x", "");
  CHECK(check(tree, "numa").fitness == Fitness::good);
  tree.put("sys/devices/system/node/node1/x", "");
  CHECK(check(tree, "numa").value == "2 nodes");
  tree.put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  CHECK(check(tree, "huge pages").value == "madvise");
}
