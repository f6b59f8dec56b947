#include "harness/machine/control_groups.hpp"

#include <sstream>

namespace harness::inline machine {
namespace {

/// "/a/b"; "/" where /proc does not say. Its lines are "number:controllers:path", of version 2 without
/// controllers.
std::string own_group(const SystemFiles& files, const std::string& controller) {
  std::istringstream lines(files.text("proc/self/cgroup").value_or(""));
  std::string number;
  std::string controllers;
  std::string path;
  while (std::getline(lines, number, ':') && std::getline(lines, controllers, ':') &&
         std::getline(lines, path))
    if (("," + controllers + ",").find("," + controller + ",") != std::string::npos) return path;
  return "/";
}

}  // namespace

std::vector<std::string> control_groups(const SystemFiles& files, const std::string& controller) {
  const auto top = "sys/fs/cgroup" + (controller.empty() ? "" : "/" + controller);
  std::vector<std::string> folders;
  auto path = own_group(files, controller);
  while (path.find_last_not_of('/') != std::string::npos) {
    path.resize(path.find_last_not_of('/') + 1);
    folders.push_back(top + path);
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  }
  folders.push_back(top);
  return folders;
}

}  // namespace harness::inline machine
