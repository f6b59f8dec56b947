#include "harness/support/fd.hpp"

#include "workloads/stgym/train/mapped_dataset.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace workloads::stgym;

harness::Setup setup_with(int memory, const char* scale = "0.002") {
  harness::Setup setup;
  setup.seed = 5;
  setup.options = {{"scale", scale}};
  setup.session_memory = memory;
  return setup;
}

off_t size_of(const harness::Fd& memory) {
  struct stat found{};
  fstat(memory.get(), &found);
  return found.st_size;
}

void check_same(const Dataset& one, const Dataset& other) {
  CHECK(one.x.equal(other.x));
  CHECK(one.y.equal(other.y));
  CHECK(one.position.equal(other.position));
  CHECK(one.offsets == other.offsets);
  CHECK(one.classes == other.classes);
  CHECK(one.radius == other.radius);
  CHECK(one.name == other.name);
  CHECK(one.source == other.source);
  CHECK(one.task == other.task);
}

TEST_CASE("the data set that a later process maps is the one that the first has made", "[stgym]") {
  const auto memory = harness::nameless_file("test");
  const auto made = session_dataset(setup_with(memory.get()));
  CHECK(size_of(memory) > 0);
  const auto mapped = session_dataset(setup_with(memory.get()));
  check_same(mapped, made);
  CHECK(neighbour_edges(mapped, 3).equal(neighbour_edges(made, 3)));
}

TEST_CASE("mapped data outlive everything but themselves", "[stgym]") {
  auto memory = harness::nameless_file("test");
  session_dataset(setup_with(memory.get()));
  const auto x = session_dataset(setup_with(memory.get())).x;
  memory.close();
  CHECK(x.sum().item<double>() > 0);
}

TEST_CASE("memory with data of other options is left alone", "[stgym]") {
  const auto memory = harness::nameless_file("test");
  const auto first = session_dataset(setup_with(memory.get()));
  const auto other = session_dataset(setup_with(memory.get(), "0.003"));
  CHECK(other.nodes() > first.nodes());
  check_same(session_dataset(setup_with(memory.get())), first);
}

TEST_CASE("what a process has left half written is made anew", "[stgym]") {
  const auto memory = harness::nameless_file("test");
  const auto made = session_dataset(setup_with(memory.get()));
  const std::int64_t not_written = 0;
  REQUIRE(pwrite(memory.get(), &not_written, sizeof not_written, 0) == sizeof not_written);
  REQUIRE(ftruncate(memory.get(), size_of(memory) / 2) == 0);
  check_same(session_dataset(setup_with(memory.get())), made);
  check_same(session_dataset(setup_with(memory.get())), made);
}

TEST_CASE("without memory of a session the data set is made as ever", "[stgym]") {
  check_same(session_dataset(setup_with(-1)), load_dataset({{"scale", "0.002"}}, 5));
}

}  // namespace
