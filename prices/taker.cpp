#include "prices/taker.hpp"

#include "prices/all_bytes.hpp"
#include "prices/pattern.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace prices {
namespace {

std::span<std::byte> bytes_of(char& letter) { return std::as_writable_bytes(std::span(&letter, 1)); }

}  // namespace

SharedPages::SharedPages(std::size_t size) : size_(size) {
  void* raw = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
  data_ = static_cast<std::byte*>(raw);
}

SharedPages::~SharedPages() { munmap(data_, size_); }

Taker::Taker(Way way, std::size_t size) : way_(way), shared_(way == Way::shared ? size : 1), own_(size) {
  const auto parent = getpid();
  pid_ = fork();
  if (pid_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) serve();
    _exit(1);
  }
  to_.read_end.close();
  back_.write_end.close();
}

Taker::~Taker() {
  to_.write_end.close();
  waitpid(pid_, nullptr, 0);
}

void Taker::hand_over_checked(std::span<const std::byte> bytes) {
  if (ask('c', bytes) != 'y')
    throw std::runtime_error("the bytes that arrived differ from those that were sent");
}

char Taker::ask(char what, std::span<const std::byte> bytes) {
  char said = 0;
  if (way_ == Way::shared) std::memcpy(shared_.bytes().data(), bytes.data(), bytes.size());
  const bool sent = write_all(to_.write_end.get(), bytes_of(what)) &&
                    (way_ == Way::shared || write_all(to_.write_end.get(), bytes));
  if (!sent || !read_all(back_.read_end.get(), bytes_of(said)))
    throw std::runtime_error("the process that receives the bytes is gone");
  return said;
}

void Taker::serve() noexcept {
  to_.write_end.close();
  back_.read_end.close();
  for (char asked = 0; read_all(to_.read_end.get(), bytes_of(asked));) {
    if (way_ == Way::shared)
      std::memcpy(own_.bytes().data(), shared_.bytes().data(), own_.bytes().size());
    else if (!read_all(to_.read_end.get(), own_.bytes()))
      break;
    char answer = asked == 'c' && first_wrong(own_.bytes(), seed) ? 'n' : 'y';
    if (!write_all(back_.write_end.get(), bytes_of(answer))) break;
  }
  _exit(0);
}

}  // namespace prices
