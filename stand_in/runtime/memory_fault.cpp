// A touch of memory that may not be touched ends the process with a sentence, whoever else handles the
// signal.
#include "stand_in/runtime/call.hpp"
#include "stand_in/runtime/machine.hpp"

#include <array>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <unistd.h>

namespace stand_in {
namespace {

using Sigaction = int (*)(int, const struct sigaction*, struct sigaction*);

/// What the program wants to happen on the two signals that ours comes before.
struct Theirs {
  struct sigaction on_segv{};
  struct sigaction on_bus{};
  bool caught = false;  // ours is installed
  bool said = false;

  struct sigaction& of(int signal) { return signal == SIGSEGV ? on_segv : on_bus; }
};

Theirs& theirs() {
  static Theirs all;
  return all;
}

Sigaction real_sigaction() {
  static const auto real = reinterpret_cast<Sigaction>(dlsym(RTLD_NEXT, "sigaction"));
  return real;
}

std::string hexadecimal(std::uintptr_t address) {
  std::array<char, 2 * sizeof address> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), address, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

/// What the device's work did wrong. An access that is not aligned comes without an address.
std::string sentence_on_work(const std::string& work, std::uintptr_t address, const std::string& where) {
  const auto touched = work + " touched " + hexadecimal(address) + ", ";
  const auto& memory = machine().memory;
  if (memory.range_of(reinterpret_cast<void*>(address)) != nullptr)
    return touched + memory.describe(address) +
           ", by an address that it found in memory: the stand-in knows those among a launch's arguments "
           "only.";
  if (!where.empty()) return touched + where + ".";
  return touched +
         "where no memory of the device is, or touched more bytes at once than the address is aligned for.";
}

/// What happened; empty if neither the address nor the code is of a device.
std::string sentence(std::uintptr_t address) {
  const auto& memory = machine().memory;
  const auto& state = this_thread();
  const auto freed = memory.describe_freed_host(address);
  const auto where = freed.empty() ? memory.describe_work(address) : freed;
  const bool at_work = state.running != nullptr && !state.in_host_function;
  if (at_work) return sentence_on_work(*state.running, address, where);
  if (memory.range_of(reinterpret_cast<void*>(address)) != nullptr)
    return "host code touched device memory: " + hexadecimal(address) + ", " + memory.describe(address) +
           ". Copy it with cudaMemcpyAsync, or launch a kernel.";
  const std::string who = freed.empty() ? "work of a stream" : "host code";
  return where.empty() ? where : who + " touched " + hexadecimal(address) + ", " + where + ".";
}

void handle(int signal, siginfo_t* info, void* context) {
  auto& wanted = theirs().of(signal);
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (info->si_code > 0 && !theirs().said) {
    auto words = sentence(address);
    if (!words.empty()) {
      theirs().said = true;
      words = "stand-in: " + words + "\n";
      if (write(STDERR_FILENO, words.data(), words.size()) < 0) _exit(1);
    }
  } else if (theirs().said) {
    wanted.sa_handler = SIG_DFL;  // their handler came back to the same instruction
    wanted.sa_flags = 0;
  }
  if ((wanted.sa_flags & SA_SIGINFO) != 0) return wanted.sa_sigaction(signal, info, context);
  if (wanted.sa_handler != SIG_DFL && wanted.sa_handler != SIG_IGN) return wanted.sa_handler(signal);
  struct sigaction fallback{};
  fallback.sa_handler = SIG_DFL;
  real_sigaction()(signal, &fallback, nullptr);
  if (info->si_code <= 0) raise(signal);  // sent, not met: it does not come again by itself
}

}  // namespace

void catch_faults() {
  for (const int signal : {SIGSEGV, SIGBUS}) {
    struct sigaction ours{};
    ours.sa_sigaction = handle;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    real_sigaction()(signal, &ours, &theirs().of(signal));
  }
  theirs().caught = true;
}

}  // namespace stand_in

extern "C" {

[[gnu::visibility("default")]] int sigaction(int signal, const struct sigaction* action,
                                             struct sigaction* old) noexcept {
  if ((signal != SIGSEGV && signal != SIGBUS) || !stand_in::theirs().caught)
    return stand_in::real_sigaction()(signal, action, old);
  auto& wanted = stand_in::theirs().of(signal);
  const auto before = wanted;
  if (action != nullptr) wanted = *action;
  if (old != nullptr) *old = before;
  return 0;
}

[[gnu::visibility("default")]] sighandler_t signal(int number, sighandler_t handler) noexcept {
  struct sigaction action{};
  struct sigaction old{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}
}
