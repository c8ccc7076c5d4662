#include "contract/model_violations.h"

#include <algorithm>
#include <fmt/format.h>

#include "contract/shown.h"
#include "dolmen/model/logical_value.h"
#include "dolmen/timestamp.h"
#include "model/attribute_codec.h"
#include "model/types.h"
#include "model/vector_value.h"

namespace dolmen::contract {
namespace {

constexpr std::size_t kNonceBytes = 12;
constexpr std::size_t kTagBytes = 16;

/// An envelope as every implementation of DMS writes it: {v: 1, edk: B, nonce: B, ct: B}.
bool is_envelope(const AttributeValue& value) {
  const Item* map = value.get_if<Item>();
  if (map == nullptr || map->size() != 4) return false;
  const auto bytes_in = [&](std::string_view name) {
    const AttributeValue* member = map->find(name);
    const Bytes* bytes = member == nullptr ? nullptr : member->get_if<Bytes>();
    return bytes == nullptr ? 0 : bytes->size();
  };
  const AttributeValue* version = map->find("v");
  return version != nullptr && *version == AttributeValue(1) && bytes_in("edk") > 0 &&
         bytes_in("nonce") == kNonceBytes && bytes_in("ct") >= kTagBytes;
}

class ModelCheck {
 public:
  explicit ModelCheck(const Model& model) : model_(model) {}

  std::vector<ErrorDetail> run(const Item& item, const std::vector<std::string>& ignored) {
    for (const auto& [name, value] : item) {
      const ModelAttribute* attribute = model_.find(name);
      if (attribute != nullptr)
        check(*attribute, value);
      else if (std::ranges::find(ignored, name) == ignored.end())
        add(name, "undeclared",
            fmt::format("expected only what the model declares, found an attribute of type {}",
                        type_name(value.type())));
    }
    for (const ModelAttribute& attribute : model_.attributes)
      if (attribute.required && !item.contains(attribute.name))
        add(attribute.name, "required", fmt::format("expected {}, found nothing", expected(attribute)));
    std::ranges::sort(violations_, {}, &ErrorDetail::path);
    return std::move(violations_);
  }

 private:
  void add(const std::string& path, std::string rule, std::string message) {
    violations_.push_back({path, std::move(rule), std::move(message)});
  }

  static std::string expected(const ModelAttribute& attribute) {
    return attribute.encrypted ? "an encrypted envelope (M with v, edk, nonce and ct)"
                               : std::string(type_name(attribute.type));
  }

  void check(const ModelAttribute& attribute, const AttributeValue& value) {
    if (attribute.encrypted) return check_encrypted(attribute, value);
    if (value.type() == Type::kNull && attribute.type != Type::kNull) return check_null(attribute);
    // Clients of DMS 0.2 may store a JSON value as its text.
    const bool is_json_for_native = attribute.json && value.type() == Type::kString;
    if (value.type() != attribute.type && !is_json_for_native)
      return add(attribute.name, "type",
                 fmt::format("expected {}, found {}", expected(attribute), type_name(value.type())));
    check_format(attribute, value);
  }

  void check_encrypted(const ModelAttribute& attribute, const AttributeValue& value) {
    if (is_envelope(value)) return;
    add(attribute.name, "encrypted",
        fmt::format("expected {}, found {} that is not encrypted; write it through a client that knows the model",
                    expected(attribute), type_name(value.type())));
  }

  void check_null(const ModelAttribute& attribute) {
    if (!may_be_null(model_, attribute))
      add(attribute.name, "null", fmt::format("expected {}, found NULL", expected(attribute)));
  }

  void check_format(const ModelAttribute& attribute, const AttributeValue& value) {
    if (attribute.json) {
      if (value.type() != Type::kString) return;
      if (const auto parsed = parse_json(value.string()); !parsed)
        add(attribute.name, "json",
            fmt::format("expected the text of a JSON value, found: {}", parsed.error().message()));
      return;
    }
    const std::optional<FormatBreach> breach = format_breach(attribute, value);
    if (breach == FormatBreach::kNotATime)
      add(attribute.name, "format",
          fmt::format("expected a time such as 2026-01-16T01:02:03Z, found {}", shown_text(value.string())));
    else if (breach == FormatBreach::kNotWhole)
      add(attribute.name, "format", fmt::format("expected a whole number, found {}", value.number().to_string()));
    else if (breach == FormatBreach::kNotAVector)
      add(attribute.name, "format",
          fmt::format("expected a vector of {} 32-bit floats, {}", attribute.dimensions,
                      vector_breach(attribute.dimensions, value)));
  }

  const Model& model_;
  std::vector<ErrorDetail> violations_;
};

const Number* version_in(const Item& item, const std::string& name) {
  const AttributeValue* value = item.find(name);
  return value == nullptr ? nullptr : value->get_if<Number>();
}

/// True for a put that makes an item rather than a newer copy of the one that is stored. A copy has the time at which
/// its original was created.
bool begins_anew(const Model& model, const Item& old, const Item& item, const Number& version) {
  const ModelAttribute* created = model.with_role(Role::kCreatedAt);
  if (created == nullptr) return version.is_zero();
  const AttributeValue* before = old.find(created->name);
  const AttributeValue* now = item.find(created->name);
  return now != nullptr && (before == nullptr || *before != *now);
}

}  // namespace

std::vector<ErrorDetail> model_violations(const Model& model, const Item& item,
                                          const std::vector<std::string>& ignored) {
  return ModelCheck(model).run(item, ignored);
}

std::vector<ErrorDetail> policy_violations(const Model& model, const Item& old, const Item* item) {
  if (model.write_policy.mode == WriteMode::kWriteOnce) {
    if (item != nullptr && *item == old) return {};
    return {{model.partition_key.name, "write_policy",
             fmt::format("expected an item that is not there yet, found {} of one that is; the model is write_once",
                         item == nullptr ? "a delete" : "a change")}};
  }
  if (item == nullptr) return {};
  std::vector<ErrorDetail> violations;
  for (const std::string& name : model.write_policy.protected_attributes) {
    const ModelAttribute* attribute = model.find(name);
    if (attribute == nullptr || is_owned(*attribute)) continue;
    const AttributeValue* before = old.find(name);
    const AttributeValue* after = item->find(name);
    if (before == after || (before != nullptr && after != nullptr && *before == *after)) continue;
    violations.push_back(
        {name, "write_policy",
         fmt::format("expected {}, which is stored and protected, found {}", shown_value(before), shown_value(after))});
  }
  return violations;
}

std::vector<ErrorDetail> version_violations(const Model& model, const Item& old, const Item& item, bool is_put) {
  const ModelAttribute* attribute = model.with_role(Role::kVersion);
  const Number* stored = attribute == nullptr ? nullptr : version_in(old, attribute->name);
  if (stored == nullptr || item == old) return {};
  const Number* given = version_in(item, attribute->name);
  if (given != nullptr && (*given > *stored || (is_put && begins_anew(model, old, item, *given)))) return {};
  return {{attribute->name, "version",
           fmt::format("expected more than {}, which is stored, found {}; read the item again, make the change, and "
                       "raise its version by one",
                       stored->to_string(), given == nullptr ? "nothing" : given->to_string())}};
}

}  // namespace dolmen::contract
