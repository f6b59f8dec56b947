// Each profile in a process of its own.
#include "tests/stand_in/runtime/probe.hpp"

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <dlfcn.h>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace {

using namespace stand_in::probe;

cudaDeviceProp properties_of(int device) {
  cudaDeviceProp properties{};
  REQUIRE(cudaGetDeviceProperties(&properties, device) == cudaSuccess);
  return properties;
}

void check_alone(const std::string& test, const std::string& environment) {
  const auto ended = run_alone(test, environment);
  INFO(ended.words);
  CHECK(ended.status == 0);
}

TEST_CASE("the device cannot be mistaken for a real one", "[profiles]") {
  CHECK(std::string(properties_of(0).name) == "stand-in (no times)");
  CHECK(properties_of(0).totalGlobalMem == std::size_t{6} << 30);
}

TEST_CASE("alone: small", "[.alone]") {
  CHECK(properties_of(0).totalGlobalMem == std::size_t{2} << 30);
  void* data = nullptr;
  CHECK(cudaMalloc(&data, (std::size_t{2} << 30) + 1) == cudaErrorMemoryAllocation);
}
TEST_CASE("the small device has 2 GiB", "[profiles]") {
  check_alone("alone: small", "STAND_IN_PROFILE=small");
}

TEST_CASE("alone: memory", "[.alone]") {
  CHECK(properties_of(0).totalGlobalMem == std::size_t{3} << 30);
  void* data = nullptr;
  CHECK(cudaMalloc(&data, (std::size_t{3} << 30) + 1) == cudaErrorMemoryAllocation);
}
TEST_CASE("a device has the memory that it was told, whatever its profile", "[profiles]") {
  check_alone("alone: memory", "STAND_IN_PROFILE=small STAND_IN_MEMORY=3221225472");
}

TEST_CASE("alone: old", "[.alone]") {
  CHECK(properties_of(0).major == 7);
  CHECK(properties_of(0).minor == 5);
}
TEST_CASE("the old device is of compute capability 7.5", "[profiles]") {
  check_alone("alone: old", "STAND_IN_PROFILE=old");
}

TEST_CASE("alone: two", "[.alone]") {
  int count = 0;
  REQUIRE(cudaGetDeviceCount(&count) == cudaSuccess);
  CHECK(count == 2);
  const Stream here;
  const Event event;
  const Memory memory(64);
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  CHECK(cudaSetDevice(2) == cudaErrorInvalidDevice);
  // "A kernel launch will fail if it is issued to a stream that is not associated to the current device".
  CHECK(launch(here, [] {}) == cudaErrorInvalidResourceHandle);
  // "A memory copy will succeed even if it is issued to a stream that is not associated to the current
  // device."
  char byte = 0;
  CHECK(cudaMemcpyAsync(&byte, memory.data(), 1, cudaMemcpyDeviceToHost, here) == cudaSuccess);
  // "cudaEventRecord() will fail if the input event and input stream are associated to different devices."
  const Stream there;
  CHECK(cudaEventRecord(event, there) == cudaErrorInvalidResourceHandle);
  // "cudaStreamWaitEvent() will succeed even if the input stream and input event are associated to different
  // devices."
  REQUIRE(cudaEventRecord(event, here) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(there, event, 0) == cudaSuccess);
  // "cudaEventElapsedTime() will fail if the two input events are associated to different devices."
  const Event other;
  REQUIRE(cudaEventRecord(other, there) == cudaSuccess);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, event, other) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}
TEST_CASE("streams and events belong to the device that was current", "[profiles]") {
  // CUDA C++ Programming Guide, Multi-Device System, "Stream and Event Behavior".
  check_alone("alone: two", "STAND_IN_PROFILE=two");
}

TEST_CASE("alone: peers", "[.alone]") {
  const Memory here(64);
  REQUIRE(cudaSetDevice(1) == cudaSuccess);
  const Memory there(64);
  CHECK(cudaMemcpyPeerAsync(there.data(), 1, here.data(), 0, 64, nullptr) == cudaSuccess);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaSuccess);
  CHECK(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorPeerAccessAlreadyEnabled);
  launch(nullptr, [&] { stand_in::work_side(here.data()); });
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaSuccess);
  CHECK(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
  launch(nullptr, [&] { stand_in::work_side(here.data()); });
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
}
TEST_CASE("a kernel reaches another device's memory once peer access is enabled", "[profiles]") {
  // CUDA Runtime API, Peer Device Memory Access, cudaDeviceEnablePeerAccess.
  check_alone("alone: peers", "STAND_IN_PROFILE=two");
}

TEST_CASE("alone: refuses", "[.alone]") {
  void* data = nullptr;
  CHECK(cudaMalloc(&data, 64) == cudaSuccess);
  CHECK(cudaMalloc(&data, 64) == cudaErrorMemoryAllocation);
  CHECK(cudaMalloc(&data, 64) == cudaSuccess);
}
TEST_CASE("the call with the number fails and the others do not", "[profiles]") {
  check_alone("alone: refuses", "STAND_IN_PROFILE=refuses STAND_IN_REFUSE=2");
}

TEST_CASE("alone: busy", "[.alone]") {
  const std::string folder = [] {
    Dl_info info{};
    dladdr(reinterpret_cast<const void*>(&cudaGetDevice), &info);
    return std::string(info.dli_fname).substr(0, std::string(info.dli_fname).rfind('/'));
  }();
  void* const library = dlopen((folder + "/libnvidia-ml.so.1").c_str(), RTLD_NOW);
  REQUIRE(library != nullptr);
  using Ask = int (*)(void*, unsigned*, void*);
  const auto ask = reinterpret_cast<Ask>(dlsym(library, "nvmlDeviceGetComputeRunningProcesses_v3"));
  unsigned count = 0;
  ask(nullptr, &count, nullptr);
  CHECK(count == 3);
}
TEST_CASE("on the busy device others compute", "[profiles]") {
  check_alone("alone: busy", "STAND_IN_PROFILE=busy");
}

TEST_CASE("alone: one of two streams is waited for", "[.alone]") {
  const Stream waited;
  const Stream other;
  bool held = false;
  for (int i = 0; i < 100 && !held; ++i) {  // in one of many, on a machine that others keep busy
    std::atomic<bool> ran = false;
    launch(other, [&] { ran = true; });
    launch(waited, [] {});
    REQUIRE(cudaStreamSynchronize(waited) == cudaSuccess);
    held = !ran;
    REQUIRE(cudaStreamSynchronize(other) == cudaSuccess);
    CHECK(ran);
  }
  CHECK(held);
}
TEST_CASE("with the seed 0 a stream that nobody waits for is held back", "[profiles]") {
  check_alone("alone: one of two streams is waited for", "STAND_IN_SEED=0");
}

TEST_CASE("alone: a record is written", "[.alone]") {
  const Stream stream;
  const Memory memory(64);
  launch(stream, [] {});
  cudaMemsetAsync(memory.data(), 0, 64, stream);
  cudaStreamSynchronize(stream);
}
TEST_CASE("the record has a line for each command", "[profiles]") {
  const auto file = "/tmp/stand_in_record." + std::to_string(getpid());
  check_alone("alone: a record is written", "STAND_IN_RECORD=" + file);
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  unlink(file.c_str());
  CHECK(text.str().find("\tkernel\t0\t") != std::string::npos);
  CHECK(text.str().find("\tmemset\t64\t") != std::string::npos);
  CHECK(text.str().find("\tcudaMemsetAsync\n") != std::string::npos);
}

TEST_CASE("the simulator's file has a line for each call, waits included", "[profiles]") {
  const auto file = "/tmp/stand_in_calls." + std::to_string(getpid());
  check_alone("alone: a record is written", "STAND_IN_CALLS=" + file);
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  unlink(file.c_str());
  CHECK(text.str().find(R"("do":"kernel","name":"kernel","uncounted":true,"stream":)") != std::string::npos);
  CHECK(text.str().find(R"("name":"cudaMemsetAsync","bytes":64,"stream":)") != std::string::npos);
  CHECK(text.str().find(R"("do":"synchronize","of":"stream","stream":)") != std::string::npos);
  CHECK(text.str().find(R"({"do":"unpriced","name":"cudaMalloc"})") != std::string::npos);
}

TEST_CASE("a profile that is not there is refused", "[profiles]") {
  const auto ended = run_alone("alone: small", "STAND_IN_PROFILE=large");
  CHECK(ended.status == 2);
  CHECK(ended.words.find("STAND_IN_PROFILE is \"large\"") != std::string::npos);
}

}  // namespace
