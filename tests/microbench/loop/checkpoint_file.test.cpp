#include "microbench/loop/checkpoint_file.hpp"

#include "harness/support/scratch_folder.hpp"

#include "microbench/loop/output_file.hpp"

#include <ATen/ATen.h>
#include <catch2/catch_test_macros.hpp>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <future>
#include <string>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace {

using namespace microbench;

std::string text_of(const std::filesystem::path& file) {
  const auto bytes = file_bytes(file);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST_CASE("a checkpoint has each tensor's sizes before its values", "[loop]") {
  const auto tensor = at::tensor({1.0F, 2.0F}).view({1, 2});
  const std::array<std::int64_t, 3> head{2, 1, 2};
  const std::array<float, 2> values{1, 2};
  const auto bytes = checkpoint_bytes({tensor});
  CHECK(bytes == std::string(reinterpret_cast<const char*>(head.data()), sizeof head) +
                     std::string(reinterpret_cast<const char*>(values.data()), sizeof values));
}

TEST_CASE("a checkpoint takes the older one's place and leaves nothing beside it", "[loop]") {
  const harness::ScratchFolder folder(std::filesystem::temp_directory_path());
  const auto file = folder.path() / "checkpoint";
  write_checkpoint(file, "old");
  write_checkpoint(file, "new");
  CHECK(text_of(file) == "new");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

/// Writes one checkpoint after the other until it is killed, which happens while it writes the second.
void write_until_killed(const std::filesystem::path& file, const std::string& bytes, int told) {
  write_checkpoint(file, bytes);
  static_cast<void>(write(told, "x", 1));
  for (;;) write_checkpoint(file, bytes);
}

TEST_CASE("a process that is killed while it writes leaves a whole checkpoint", "[loop]") {
  const harness::ScratchFolder folder(std::filesystem::temp_directory_path());
  const auto file = folder.path() / "checkpoint";
  const std::string bytes(std::size_t{4} << 20, 'n');
  for (int kill_number = 0; kill_number < 10; ++kill_number) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const auto child = fork();
    if (child == 0) {
      write_until_killed(file, bytes, ends[1]);
      _exit(1);
    }
    char told = 0;
    REQUIRE(read(ends[0], &told, 1) == 1);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(ends[0]);
    close(ends[1]);
    CHECK(text_of(file) == bytes);
  }
}

/// Writes the older checkpoint itself, and the newer one by another thread, as loop/checkpoint_async does.
[[noreturn]] void write_beside_until_killed(const std::filesystem::path& file, const std::string& older,
                                            const std::string& newer) {
  write_checkpoint(file, older);
  auto writing = std::async(std::launch::async, [&] { write_checkpoint(file, newer); });
  writing.get();
  pause();
  _exit(1);
}

/// 0 where there is no such file.
std::uintmax_t size_of(const std::filesystem::path& file) {
  std::error_code none;
  const auto size = std::filesystem::file_size(file, none);
  return none ? 0 : size;
}

TEST_CASE("a process that is killed while another thread writes keeps the older checkpoint", "[loop]") {
  const harness::ScratchFolder folder(std::filesystem::temp_directory_path());
  const auto file = folder.path() / "checkpoint";
  const auto unfinished = folder.path() / "checkpoint.unfinished";
  const std::string older(std::size_t{1} << 20, 'o'), newer(std::size_t{32} << 20, 'n');
  for (int kill_number = 0; kill_number < 5; ++kill_number) {
    const auto child = fork();
    if (child == 0) write_beside_until_killed(file, older, newer);
    const auto lives = [&] { return waitpid(child, nullptr, WNOHANG) == 0; };
    const auto waits = [&] { return size_of(file) == 0 || size_of(file) == older.size(); };
    while (size_of(unfinished) <= older.size() && waits() && lives()) continue;
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    CHECK(text_of(file) == (std::filesystem::exists(unfinished) ? older : newer));
    std::filesystem::remove(file);
    std::filesystem::remove(unfinished);
  }
}

TEST_CASE("where a checkpoint cannot be written, the older one stays", "[loop]") {
  const harness::ScratchFolder folder(std::filesystem::temp_directory_path());
  const auto file = folder.path() / "checkpoint";
  write_checkpoint(file, "old");
  CHECK_THROWS_AS(write_checkpoint(folder.path() / "none" / "checkpoint", "new"), std::system_error);
  CHECK(text_of(file) == "old");
}

}  // namespace
