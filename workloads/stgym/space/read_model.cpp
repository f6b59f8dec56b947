#include "workloads/stgym/space/read_model.hpp"

#include "harness/support/near_miss.hpp"

#include "workloads/stgym/space/configuration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace workloads::stgym::space {
namespace {

using harness::Field;

// Bounds that no sensible model reaches, so that a slip of the pen is not a request for terabytes.
constexpr std::int64_t most_width = 65'536;
constexpr std::int64_t most_clusters_read = 4'096;
constexpr std::int64_t most_layers = 64;

std::vector<Field> some_entries(const Field& field) {
  auto entries = field.entries();
  if (entries.empty()) field.reject("expected at least one entry");
  if (std::ssize(entries) > most_layers) field.reject(fmt::format("there are more than {}", most_layers));
  return entries;
}

Pooling read_pooling(const Field& field) {
  const Members members(field, {"type", "n_clusters"});
  return {.type = members.choice<PoolingType>("type", pooling_type_names),
          .n_clusters = members.count("n_clusters", 2, most_clusters_read)};
}

Style read_style(const Members& members) {
  Style style;
  if (members.is_null("act"))
    style.act = Activation::none;
  else
    style.act = members.choice<Activation>("act", activation_names, Activation::prelu);
  style.use_batchnorm = members.flag("use_batchnorm", style.use_batchnorm);
  style.bn_eps = members.number("bn_eps", {.least = 0, .most = 1, .above = true}, style.bn_eps);
  style.bn_momentum =
      members.number("bn_momentum", {.least = 0, .most = 1, .above = true}, style.bn_momentum);
  style.dropout = members.number("dropout", {.least = 0, .most = 1, .below = true}, style.dropout);
  members.flag("has_bias", true);
  style.has_bias = !style.use_batchnorm;
  style.l2norm = members.flag("l2norm", style.l2norm);
  return style;
}

MpLayer read_mp_layer(const Field& field) {
  const Members members(field, {"layer_type", "dim_inner", "act", "use_batchnorm", "bn_eps", "bn_momentum",
                                "dropout", "has_bias", "l2norm", "pooling", "normalize_adj", "readout"});
  MpLayer layer;
  layer.layer_type = members.choice<LayerType>("layer_type", layer_type_names);
  layer.dim_inner = members.count("dim_inner", 1, most_width, layer.dim_inner);
  layer.style = read_style(members);
  if (members.has("pooling") && !members.is_null("pooling")) layer.pooling = read_pooling(members["pooling"]);
  members.flag("normalize_adj", false);
  if (!members.is_null("readout")) members.choice<Readout>("readout", readout_names, Readout::mean);
  return layer;
}

PostMpLayer read_post_mp_layer(const Field& field) {
  const Members members(
      field, {"dims", "act", "use_batchnorm", "bn_eps", "bn_momentum", "dropout", "has_bias", "l2norm"});
  PostMpLayer layer;
  for (const auto& width : some_entries(members["dims"])) layer.dims.push_back(width.integer(1, most_width));
  layer.style = read_style(members);
  return layer;
}

}  // namespace

using harness::Field;

constexpr std::size_t longest_shown = 60;  // of a name that a file holds

Members::Members(Field object, std::initializer_list<std::string_view> names) : object_(std::move(object)) {
  for (const auto& [name, value] : object_.members()) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const auto shown = name.substr(0, longest_shown);
    const std::vector<std::string> known(names.begin(), names.end());
    Field(value.json(), object_.path() + "." + shown)
        .reject("unknown field of an STGym configuration" + harness::did_you_mean(shown, known));
  }
}

std::int64_t Members::count(std::string_view name, std::int64_t least, std::int64_t most,
                            std::optional<std::int64_t> otherwise) const {
  if (otherwise && !has(name)) return *otherwise;
  return object_[name].integer(least, most);
}

double Members::number(std::string_view name, const Bounds& bounds, std::optional<double> otherwise) const {
  if (otherwise && !has(name)) return *otherwise;
  const auto found = object_[name];
  if (!found.json().is_number())
    found.reject(fmt::format("expected a number, not {}", found.json().type_name()));
  const auto value = found.number();
  const bool inside = std::isfinite(value) && value >= bounds.least && value <= bounds.most &&
                      !(bounds.above && value == bounds.least) && !(bounds.below && value == bounds.most);
  if (!inside)
    found.reject(fmt::format("expected a number {} {} {} {}, not {}", bounds.above ? "above" : "from",
                             bounds.least, bounds.below ? "to below" : "to", bounds.most, value));
  return value;
}

bool Members::flag(std::string_view name, bool otherwise) const {
  return has(name) ? object_[name].boolean() : otherwise;
}

std::size_t Members::place_of(std::string_view name, std::span<const std::string_view> names) const {
  const auto found = object_[name];
  const auto text = found.text();
  const auto place = std::ranges::find(names, text);
  if (place == names.end())
    found.reject(fmt::format("'{:.40}' is not one of {}", text, fmt::join(names, ", ")));
  return static_cast<std::size_t>(place - names.begin());
}

ModelConfig read_model(const Field& field) {
  const Members members(field, {"mp_layers", "global_pooling", "post_mp_layer", "mem"});
  ModelConfig model;
  for (const auto& layer : some_entries(members["mp_layers"]))
    model.mp_layers.push_back(read_mp_layer(layer));
  model.global_pooling = members.choice<Readout>("global_pooling", readout_names, Readout::mean);
  if (members.has("post_mp_layer") && !members.is_null("post_mp_layer"))
    model.post_mp_layer = read_post_mp_layer(members["post_mp_layer"]);
  if (members.has("mem") && !members.is_null("mem")) {
    const Members mem(members["mem"], {"inplace"});
    mem.flag("inplace", false);
  }
  return model;
}

}  // namespace workloads::stgym::space
