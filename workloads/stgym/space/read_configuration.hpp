// A configuration from its JSON text, and back.
#pragma once

#include "workloads/stgym/space/configuration.hpp"

#include <filesystem>

namespace workloads::stgym::space {

/// The configuration in a text of STGym's form. Every field that STGym has is known; those that say how a
/// program runs and not what it computes (device, devices, num_workers, mem, group_id, matmul precision), and
/// a layer's readout and normalize_adj and lr_schedule.max_epoch, are checked and change nothing.
/// Throws harness::BadInput: "<name>: <path of the field>: <what is wrong>".
Configuration parse_configuration(std::string_view text, const std::string& name);

/// The same from a file of at most 1 MiB.
Configuration read_configuration(const std::filesystem::path& file);

/// On one line, every field written out: parse_configuration gives the same configuration back.
std::string configuration_text(const Configuration& configuration);

/// "ginconv + mincut -> node-classification": what a configuration is, for people.
std::string summary(const Configuration& configuration);

}  // namespace workloads::stgym::space
