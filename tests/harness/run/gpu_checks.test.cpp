#include "harness/run/gpu_checks.hpp"

#include "tests/harness/machine/made_up_tree.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>

using namespace harness;
using namespace harness::run;
using example::MadeUpTree;

namespace {

NvmlReport one_gpu(GpuState state = {}) {
  return {.loaded = true, .error = {}, .driver = "580.1", .gpus = {state}};
}

Probe usable() {
  return {.status = CudaStatus::ok,
          .cuda_runtime = "13.0",
          .cuda_driver = "13.0",
          .libtorch = "2.11.0",
          .gpu_name = "A GPU",
          .compute_capability = "9.0"};
}

Check check(const std::string& name, const Probe& probe, const NvmlReport& nvml,
            const MadeUpTree& tree = {}) {
  const auto checks = gpu_checks(probe, nvml, tree.files(), "home/.nv/ComputeCache");
  const auto found = std::ranges::find(checks, name, &Check::name);
  return found == checks.end() ? Check{.name = "missing"} : *found;
}

}  // namespace

TEST_CASE("a machine without a GPU is fit for everything but CUDA steps", "[doctor]") {
  const auto device = check("cuda device", {.status = CudaStatus::no_device}, {});
  CHECK(device.fitness == Fitness::note);
  CHECK(device.value == "none");
}

TEST_CASE("a usable device is named", "[doctor]") {
  CHECK(check("cuda device", usable(), one_gpu()).value == "A GPU, compute capability 9.0");
  CHECK(check("driver", usable(), one_gpu()).value == "580.1, up to CUDA 13.0 (this program needs 13.0)");
}

TEST_CASE("doctor distinguishes the reasons why a present GPU cannot be used, and each is bad", "[doctor]") {
  std::vector<std::string> fixes;
  for (const auto status : {CudaStatus::no_device, CudaStatus::driver_too_old,
                            CudaStatus::architecture_not_built, CudaStatus::failed}) {
    const auto device = check("cuda device", {.status = status, .message = "so it is"}, one_gpu());
    CHECK(device.fitness == Fitness::bad);
    CHECK(device.value.ends_with(": so it is"));
    fixes.push_back(device.fix);
  }
  std::ranges::sort(fixes);
  CHECK(std::ranges::adjacent_find(fixes) == fixes.end());
}

TEST_CASE("a driver that is too old is bad though NVML does not start", "[doctor]") {
  CHECK(check("cuda device", {.status = CudaStatus::driver_too_old, .message = "12.2, needs 13.0"}, {})
            .fitness == Fitness::bad);
}

TEST_CASE("a card on the bus without a driver is a GPU that cannot be used", "[doctor]") {
  const MadeUpTree tree;
  tree.put("sys/bus/pci/devices/0000:65:00.0/vendor", "0x10de\n");
  tree.put("sys/bus/pci/devices/0000:65:00.0/class", "0x030200\n");
  CHECK(check("cuda device", {.status = CudaStatus::no_device}, {}, tree).fitness == Fitness::bad);
}

TEST_CASE("a network card of the same maker is no GPU", "[doctor]") {
  const MadeUpTree tree;
  tree.put("sys/bus/pci/devices/0000:65:00.0/vendor", "0x10de\n");
  tree.put("sys/bus/pci/devices/0000:65:00.0/class", "0x020000\n");
  CHECK(check("cuda device", {.status = CudaStatus::no_device}, {}, tree).fitness == Fitness::note);
}

TEST_CASE("doctor says why a worker does not start, and nothing about the device", "[doctor]") {
  const Probe probe{.status = CudaStatus::no_worker, .message = "libtorch.so is missing"};
  CHECK(check("libtorch", probe, {}).value == "libtorch.so is missing");
  CHECK(check("cuda device", probe, {}).fitness == Fitness::unknown);
  CHECK(check("cuda device", probe, one_gpu()).fitness == Fitness::bad);
}

TEST_CASE("other processes, heat, lost lanes and missing persistence are to be fixed", "[doctor]") {
  GpuState state;
  state.processes = 2;
  state.slowdowns = 0x40;
  state.link_generation = state.link_max_generation = 4;
  state.link_width = 8;
  state.link_max_width = 16;
  state.persistence = 0;
  for (const auto* name : {"gpu neighbors", "gpu slowdown", "pcie link", "persistence"}) {
    CAPTURE(name);
    CHECK(check(name, usable(), one_gpu(state)).fitness == Fitness::warn);
    CHECK_FALSE(check(name, usable(), one_gpu(state)).fix.empty());
  }
}

TEST_CASE("a power cap is not a slowdown, and an idle link may have dropped its generation", "[doctor]") {
  GpuState state;
  state.slowdowns = 0x4;
  state.link_generation = 1;
  state.link_max_generation = 5;
  state.link_width = state.link_max_width = 16;
  CHECK(check("gpu slowdown", usable(), one_gpu(state)).fitness == Fitness::good);
  state.power_limit_mw = 700'000;
  CHECK(check("gpu power", usable(), one_gpu(state)).value == "limit 700 W, reached");
  CHECK(check("gpu power", usable(), one_gpu(state)).fitness == Fitness::note);
  CHECK(check("pcie link", usable(), one_gpu(state)).fitness == Fitness::good);
}

TEST_CASE(
    "a busy GPU's link at a lower generation is to be fixed, a slot older than the card is worth knowing",
    "[doctor]") {
  GpuState state;
  state.link_width = state.link_max_width = 16;
  state.link_generation = 3;
  state.link_max_generation = 5;
  state.utilization = 90;
  CHECK(check("pcie link", usable(), one_gpu(state)).fitness == Fitness::warn);
  state.link_generation = state.link_max_generation = 4;
  state.card_generation = 5;
  CHECK(check("pcie link", usable(), one_gpu(state)).fitness == Fitness::note);
  state.card_generation = 4;
  CHECK(check("pcie link", usable(), one_gpu(state)).fitness == Fitness::good);
}

TEST_CASE("pinned pages on the node far from the GPU are to be fixed", "[doctor]") {
  const MadeUpTree tree;
  tree.put("sys/bus/pci/devices/0000:65:00.0/numa_node", "1\n");
  tree.put("sys/devices/system/node/online", "0-1\n");
  tree.put("sys/devices/system/node/has_memory", "0-1\n");
  tree.put("sys/devices/system/node/node0/cpulist", "0-3\n");
  tree.put("sys/devices/system/node/node1/cpulist", "4-7\n");
  GpuState state;
  state.bus_id = "0000:65:00.0";
  const auto judged_at = [&](const std::string& cpus, const std::string& memory) {
    tree.put("proc/self/status", "Cpus_allowed_list:\t" + cpus + "\nMems_allowed_list:\t" + memory + "\n");
    return check("gpu node", usable(), one_gpu(state), tree);
  };
  CHECK(judged_at("0-3", "0-1").fitness == Fitness::warn);
  CHECK(judged_at("0-3", "0-1").fix.starts_with("numactl --cpunodebind=1 --membind=1"));
  CHECK(judged_at("0-7", "0").fitness == Fitness::warn);
  CHECK(judged_at("0-7", "0-1").fitness == Fitness::note);
  CHECK(judged_at("4-7", "0-1").fitness == Fitness::good);
}

TEST_CASE("a machine with one memory node has no line about it", "[doctor]") {
  const MadeUpTree tree;
  tree.put("sys/bus/pci/devices/0000:65:00.0/numa_node", "0\n");
  tree.put("sys/devices/system/node/online", "0\n");
  GpuState state;
  state.bus_id = "0000:65:00.0";
  CHECK(check("gpu node", usable(), one_gpu(state), tree).name == "missing");
}

TEST_CASE("a cache of compiled code that cannot be written makes each round pay", "[doctor]") {
  const MadeUpTree tree;
  tree.put("home/.profile", "x");
  CHECK(check("jit cache", usable(), one_gpu(), tree).fitness == Fitness::good);
  const MadeUpTree read_only;  // a file where the folder would be: root may write everywhere else
  read_only.put("home", "x");
  const auto lost = check("jit cache", usable(), one_gpu(), read_only);
  CHECK(lost.fitness == Fitness::warn);
  CHECK(lost.fix == "export CUDA_CACHE_PATH=/tmp/nv-cache");
  const auto off = gpu_checks(usable(), one_gpu(), tree.files(), "");
  const auto found = std::ranges::find(off, "jit cache", &Check::name);
  REQUIRE(found != off.end());
  CHECK(found->fitness == Fitness::warn);
  CHECK(check("jit cache", usable(), {}, tree).name == "missing");  // there is no driver
}

TEST_CASE("WSL2 and confidential computing are named, and nothing is said where they are not", "[doctor]") {
  const MadeUpTree tree;
  CHECK(check("wsl", usable(), one_gpu(), tree).name == "missing");
  CHECK(check("confidential computing", usable(), one_gpu(), tree).name == "missing");
  tree.put("dev/dxg", "");
  CHECK(check("wsl", usable(), one_gpu(), tree).fitness == Fitness::warn);
  auto confidential = one_gpu();
  confidential.confidential = true;
  CHECK(check("confidential computing", usable(), confidential, tree).fitness == Fitness::warn);
}

TEST_CASE("what a GPU does not tell is unknown", "[doctor]") {
  for (const auto& check : gpu_checks(usable(), one_gpu(), MadeUpTree().files(), ""))
    if (check.name.starts_with("gpu ")) {
      CHECK(check.fitness == Fitness::unknown);
      CHECK(check.matters == "the driver does not say");
    }
}

TEST_CASE("with several GPUs the checks say which", "[doctor]") {
  auto two = one_gpu();
  two.gpus.push_back({});
  CHECK(check("pcie link 1", usable(), two).name == "pcie link 1");
}

TEST_CASE("the worker's answer is read, and garbage is a worker that failed to start", "[doctor]") {
  const auto probe = parse_probe(
      R"({"cuda": {"status": "driver too old", "message": "m"}, "cuda_driver": "12.2", "cuda_runtime": "13.0",
          "libtorch": "2.11.0\u001b[2J", "gpu": null})");
  CHECK(probe.status == CudaStatus::driver_too_old);
  CHECK(probe.message == "m");
  CHECK(probe.cuda_driver == "12.2");
  CHECK(probe.libtorch == "2.11.0?[2J");
  CHECK(probe.gpu_name.empty());
  for (const auto* text : {"", "x", "[]", "{}", R"({"cuda": 3})"})
    CHECK(parse_probe(text).status == CudaStatus::no_worker);
  CHECK(parse_probe(R"({"cuda": {"status": "new word"}})").status == CudaStatus::failed);
}
