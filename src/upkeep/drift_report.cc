#include "upkeep/drift_report.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "base/base64.h"
#include "base/fail.h"
#include "contract/shown.h"
#include "protocol/object_view.h"

namespace dolmen::upkeep {
namespace {

std::string key_part(const AttributeValue* value) {
  if (value == nullptr) return {};
  if (const std::string* text = value->get_if<std::string>(); text != nullptr) return contract::shown_name(*text);
  if (const Number* number = value->get_if<Number>(); number != nullptr) return number->to_string();
  const Bytes* bytes = value->get_if<Bytes>();
  return bytes == nullptr ? std::string() : encode_base64(bytes->view());
}

void keep_first(std::vector<DriftSample>& samples, const DriftSample& sample) {
  if (samples.size() == kDriftSamples && samples.back() <= sample) return;
  const auto place = std::ranges::lower_bound(samples, sample);
  if (place != samples.end() && *place == sample) return;
  samples.insert(place, sample);
  if (samples.size() > kDriftSamples) samples.pop_back();
}

void write_samples(ObjectWriter& object, std::string_view name, const std::vector<DriftSample>& samples) {
  object.objects(name, samples, [](ObjectWriter& sample, const DriftSample& each) {
    sample.text("key", each.key).text("message", each.message);
  });
}

Result<std::vector<DriftSample>> samples_in(const ObjectView& object, std::string_view name) {
  DOLMEN_TRY(const std::vector<std::string_view> list, object.list(name));
  std::vector<DriftSample> samples;
  for (const std::string_view each : list) {
    DOLMEN_TRY(const ObjectView sample, ObjectView::response(each));
    DOLMEN_TRY(std::string key, sample.text("key"));
    DOLMEN_TRY(std::string message, sample.text("message"));
    samples.push_back({.key = std::move(key), .message = std::move(message)});
  }
  return samples;
}

Result<std::uint64_t> count_in(const ObjectView& object, std::string_view name) {
  const std::string text = object.shown(name);
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size())
    return fail(Code::kSerialization, "\"{}\" is not a count: {}", name, text);
  return count;
}

}  // namespace

std::string key_text(const Item& item, const TableDefinition& table) {
  std::string text = key_part(item.find(table.partition_key.name));
  if (table.sort_key) text += "/" + key_part(item.find(table.sort_key->name));
  return text;
}

DriftGroup& DriftReport::group_at(Place place) {
  const auto found = groups_.find(place);
  if (found != groups_.end()) return found->second;
  if (groups_.size() >= kDriftGroups) place.path = kOtherPaths;
  return groups_[std::move(place)];
}

void DriftReport::add(const DriftRules::Verdict& verdict, const std::string& key, bool mended) {
  ++items_;
  if (verdict.findings.empty()) return;
  ++broken_;
  bool is_left = false;
  bool can_be_mended = false;
  for (const Finding& finding : verdict.findings) {
    const bool is_mendable = finding.mend != Mend::kNothing;
    can_be_mended = can_be_mended || is_mendable;
    is_left = is_left || !is_mendable || !mended;
    DriftGroup& group = group_at(
        {.model = verdict.model == nullptr ? "" : verdict.model->name, .rule = finding.rule, .path = finding.path});
    ++group.count;
    group.mendable += is_mendable ? 1 : 0;
    group.mended += is_mendable && mended ? 1 : 0;
    keep_first(group.samples, {.key = key, .message = finding.message});
  }
  left_ += is_left ? 1 : 0;
  mendable_ += can_be_mended ? 1 : 0;
}

void DriftReport::add(const DriftReport& other) {
  items_ += other.items_;
  broken_ += other.broken_;
  left_ += other.left_;
  mendable_ += other.mendable_;
  refused_ += other.refused_;
  for (const auto& [place, more] : other.groups_) {
    DriftGroup& group = group_at(place);
    group.count += more.count;
    group.mendable += more.mendable;
    group.mended += more.mended;
    for (const DriftSample& sample : more.samples) keep_first(group.samples, sample);
  }
  for (const DriftSample& refusal : other.refusals_) keep_first(refusals_, refusal);
}

void DriftReport::add_refusal(const std::string& key, const std::string& message) {
  ++refused_;
  keep_first(refusals_, {.key = key, .message = message});
}

std::vector<const DriftReport::Groups::value_type*> DriftReport::sorted() const {
  std::vector<const Groups::value_type*> all;
  for (const auto& group : groups_) all.push_back(&group);
  std::ranges::stable_sort(all, std::greater(), [](const auto* group) { return group->second.count; });
  return all;
}

void DriftReport::write(ObjectWriter& object) const {
  object.number("items", items_).number("broken", broken_).number("left", left_).number("mendable", mendable_);
  object.number("refused", refused_);
  object.objects("findings", sorted(), [](ObjectWriter& group, const Groups::value_type* each) {
    const auto& [place, content] = *each;
    group.text("model", place.model).text("rule", place.rule).text("path", place.path);
    group.text("message", content.samples.empty() ? std::string_view() : content.samples.front().message);
    group.number("count", content.count).number("mendable", content.mendable).number("mended", content.mended);
    write_samples(group, "samples", content.samples);
  });
  write_samples(object, "refusals", refusals_);
}

std::string DriftReport::to_json() const {
  return object_text([this](ObjectWriter& object) { write(object); });
}

Result<DriftReport> DriftReport::from_json(std::string_view json) {
  DOLMEN_TRY(const ObjectView object, ObjectView::response(json));
  DriftReport report;
  DOLMEN_TRY(report.items_, count_in(object, "items"));
  DOLMEN_TRY(report.broken_, count_in(object, "broken"));
  DOLMEN_TRY(report.left_, count_in(object, "left"));
  DOLMEN_TRY(report.mendable_, count_in(object, "mendable"));
  DOLMEN_TRY(report.refused_, count_in(object, "refused"));
  DOLMEN_TRY(report.refusals_, samples_in(object, "refusals"));
  DOLMEN_TRY(const std::vector<std::string_view> groups, object.list("findings"));
  for (const std::string_view each : groups) {
    DOLMEN_TRY(const ObjectView view, ObjectView::response(each));
    Place place;
    DOLMEN_TRY(place.model, view.text("model"));
    DOLMEN_TRY(place.rule, view.text("rule"));
    DOLMEN_TRY(place.path, view.text("path"));
    DriftGroup group;
    DOLMEN_TRY(group.count, count_in(view, "count"));
    DOLMEN_TRY(group.mendable, count_in(view, "mendable"));
    DOLMEN_TRY(group.mended, count_in(view, "mended"));
    DOLMEN_TRY(group.samples, samples_in(view, "samples"));
    report.groups_[std::move(place)] = std::move(group);
  }
  return report;
}

}  // namespace dolmen::upkeep
