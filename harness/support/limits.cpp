#include "harness/support/limits.hpp"

#include "harness/core/setup.hpp"
#include "harness/support/field.hpp"
#include "harness/support/signals.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <new>
#include <sys/resource.h>

namespace harness::inline support {
namespace {

constexpr rlim_t needed_stack = rlim_t{256} << 10;
constexpr rlim_t needed_files = 32;  // a worker's pipes; those of batches are told where they are opened

rlim_t limit_of(__rlimit_resource what) {
  rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
  getrlimit(what, &limit);
  return limit.rlim_cur;
}

/// What ends the program where an exception may not pass: out of a destructor, or while there is no memory
/// for the exception itself.
[[noreturn]] void end_program() {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    tell_no_memory();
    std::_Exit(1);
  } catch (...) {
  }
  __gnu_cxx::__verbose_terminate_handler();
  std::abort();
}

}  // namespace

void require_surroundings() {
  std::set_terminate(end_program);
  std::signal(SIGXFSZ, SIG_IGN);
  if (const auto stack = limit_of(RLIMIT_STACK); stack < needed_stack)
    throw BadInput(fmt::format("the stack may have {} KiB, and {} are needed; run ulimit -s {} first",
                               stack >> 10, needed_stack >> 10, needed_stack >> 10));
  if (const auto files = limit_of(RLIMIT_NOFILE); files < needed_files)
    throw BadInput(fmt::format("{} files may be open at once, and {} are needed; run ulimit -n {} first",
                               files, needed_files, needed_files));
  if (access("/proc/self/exe", F_OK) != 0)
    throw BadInput(
        "/proc is not mounted, and tuneproof reads there what the machine has and does; mount it first");
}

void tell_no_memory() {
  constexpr std::string_view sentence =
      ": not enough memory; free some, or raise the limit with ulimit -v unlimited\n";
  const IgnoredPipe ignored;
  for (const auto text : {std::string_view(program_invocation_short_name), sentence})
    static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
}

std::string sentence_of(const std::exception& error) {
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
    return file->path1().string() + ": " + file->code().message();
  constexpr int no_utf8 = 316;
  if (const auto* json = dynamic_cast<const Json::exception*>(&error))
    return json->id == no_utf8 ? "a name or a value given here is not UTF-8" : reason_of(*json);
  return error.what();
}

}  // namespace harness::inline support
