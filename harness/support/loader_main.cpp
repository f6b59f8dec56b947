#include "harness/core/measurement.hpp"
#include "harness/support/channel.hpp"
#include "harness/support/terminal.hpp"

#include <csignal>
#include <cstring>
#include <sys/prctl.h>

namespace harness::inline support {
namespace {

/// `--load NAME BATCH_BYTES SLOTS PARENT`
struct Arguments {
  std::string name;
  std::size_t batch_bytes = 0;
  std::size_t slots = 0;
  pid_t parent = 0;
};

Arguments parse(int argc, char** argv) {
  if (argc != 6)
    throw std::runtime_error("--load takes a name, the bytes of a batch, the slots and the parent");
  return {argv[2], std::stoull(argv[3]), std::stoull(argv[4]), std::stoi(argv[5])};
}

const BatchSource& find(std::span<const BatchSource> sources, const std::string& name) {
  const auto found = std::ranges::find(sources, name, &BatchSource::name);
  if (found == sources.end()) throw std::runtime_error("unknown batch source '" + name + "'");
  return *found;
}

LoaderReply attempt(const BatchSource& source, std::int64_t index, std::span<std::byte> out) {
  LoaderReply reply;
  std::string why;
  try {
    source.produce(index, out);
    return reply;
  } catch (const std::exception& error) {
    why = host_fault(error, {}).sentence;
  } catch (...) {
    why = "an exception other than std::exception";
  }
  reply.failed = 1;
  std::memcpy(reply.why, why.data(), std::min(why.size(), sizeof reply.why - 1));
  return reply;
}

void serve(const BatchSource& source, const Arguments& arguments) {
  const Fd socket(socket_number);
  const auto stride = slot_stride(arguments.batch_bytes);
  const SharedBytes memory(Fd(memory_number), stride * arguments.slots);
  LoaderRequest request;
  while (receive_message(socket, request)) {
    const auto out =
        memory.bytes().subspan(static_cast<std::size_t>(request.slot) * stride, arguments.batch_bytes);
    if (!send_message(socket, attempt(source, request.index, out))) return;
  }
}

}  // namespace

bool is_loader_call(int argc, char** argv) { return argc > 1 && std::strcmp(argv[1], "--load") == 0; }

int loader_main(int argc, char** argv, std::span<const BatchSource> sources) {
  // The parent's death ends a worker even in the middle of a batch. Requests that it left behind must not be
  // begun where it died before it could be watched.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_NAME, "batch-loader");
  signal(SIGINT, SIG_IGN);  // Ctrl-C reaches the whole group; what then becomes of us is the parent's to say
  try {
    const auto arguments = parse(argc, argv);
    if (getppid() == arguments.parent) serve(find(sources, arguments.name), arguments);
    return 0;
  } catch (const std::exception& error) {
    tell_lines("loader worker: " + host_fault(error, {}).sentence + "\n");
    return 1;
  }
}

}  // namespace harness::inline support
