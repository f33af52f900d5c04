#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <string>
#include <utility>

#include "harness/files/strict_json.hpp"
#include "harness/suite/profiles/profiles.hpp"

namespace harness {
namespace {

using namespace oracle;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr int schema_version = 1;  // of profile.schema.json

template <class Enum, std::size_t count>
using Words = std::array<std::pair<Enum, std::string_view>, count>;

constexpr Words<NanSign, 3> nan_signs{{{NanSign::as_coded, "as_coded"},
                                       {NanSign::from_scale, "from_scale"},
                                       {NanSign::from_element, "from_element"}}};
constexpr Words<E8m0Zero, 2> e8m0_zeros{
    {{E8m0Zero::two_to_minus_127, "two_to_minus_127"}, {E8m0Zero::zero, "zero"}}};
constexpr Words<E8m0Ff, 3> e8m0_ffs{
    {{E8m0Ff::nan, "nan"}, {E8m0Ff::infinity, "infinity"}, {E8m0Ff::two_to_128, "two_to_128"}}};
constexpr Words<E4m3Family, 2> families{{{E4m3Family::ocp, "ocp"}, {E4m3Family::fnuz, "fnuz"}}};
constexpr Words<ScaleSign, 2> scale_signs{
    {{ScaleSign::signed_e4m3, "signed_e4m3"}, {ScaleSign::unsigned_e4m3, "unsigned_e4m3"}}};
constexpr Words<E4m3Overflow, 2> overflows{
    {{E4m3Overflow::satfinite, "satfinite"}, {E4m3Overflow::to_nan, "to_nan"}}};
constexpr Words<E4m3Infinity, 2> infinities{
    {{E4m3Infinity::saturate, "saturate"}, {E4m3Infinity::to_nan, "to_nan"}}};
constexpr Words<NegativeZero, 2> negative_zeros{
    {{NegativeZero::kept, "kept"}, {NegativeZero::cleared, "cleared"}}};
constexpr Words<ZeroCodeNanScale, 2> zero_codes{
    {{ZeroCodeNanScale::nan, "nan"}, {ZeroCodeNanScale::zero, "zero"}}};
constexpr Words<ScaleOrder, 3> scale_orders{{{ScaleOrder::linear, "linear"},
                                             {ScaleOrder::quads, "quads"},
                                             {ScaleOrder::swizzle_128x4, "swizzle_128x4"}}};
constexpr Words<PageStride, 2> page_strides{
    {{PageStride::as_given, "as_given"}, {PageStride::dense, "dense"}}};
constexpr Words<Sixth, 2> sixths{{{Sixth::quotient, "quotient"}, {Sixth::product, "product"}}};
constexpr Words<CodeFrom, 3> codes_from{
    {{CodeFrom::quotient, "quotient"},
     {CodeFrom::reciprocal_product, "reciprocal_product"},
     {CodeFrom::reciprocal_product_to_zero, "reciprocal_product_to_zero"}}};
constexpr Words<ZeroMultiplier, 2> zero_multipliers{
    {{ZeroMultiplier::scale_is_zero, "scale_is_zero"},
     {ZeroMultiplier::amax_is_zero, "amax_is_zero"}}};
constexpr Words<NanInAmax, 2> nans_in_amax{
    {{NanInAmax::ignored, "ignored"}, {NanInAmax::propagates, "propagates"}}};
constexpr Words<NanToE2m1, 4> nan_codes{{{NanToE2m1::plus_six, "plus_six"},
                                         {NanToE2m1::signed_six, "signed_six"},
                                         {NanToE2m1::plus_zero, "plus_zero"},
                                         {NanToE2m1::signed_zero, "signed_zero"}}};
constexpr Words<Ties, 4> ties{{{Ties::to_even, "to_even"},
                               {Ties::toward_zero, "toward_zero"},
                               {Ties::away, "away"},
                               {Ties::toward_minus, "toward_minus"}}};
constexpr Words<ScaleMode, 4> scale_modes{{{ScaleMode::round_up, "round_up"},
                                           {ScaleMode::floor, "floor"},
                                           {ScaleMode::even, "even"},
                                           {ScaleMode::ceil, "ceil"}}};
constexpr Words<Quarter, 2> quarters{
    {{Quarter::product, "product"}, {Quarter::exponent, "exponent"}}};
constexpr Words<NonfiniteScale, 2> nonfinite_scales{
    {{NonfiniteScale::nan, "nan"}, {NonfiniteScale::from_bits, "from_bits"}}};

// The members of each object, once for reading and writing.

void members(auto& visit, NanCodes& nan) {
  visit.bits("e4m3", nan.e4m3);
  visit.bits("bf16", nan.bf16);
  visit.bits("f16", nan.f16);
  visit.bits("f32", nan.f32);
}

void members(auto& visit, Nvfp4Rule& rule) {
  visit.bits("amax_floor_f32", rule.amax_floor_f32);
  visit.bits("scale_floor_f32", rule.scale_floor_f32);
  visit.word("sixth", sixths, rule.sixth);
  visit.word("code_from", codes_from, rule.code_from);
  visit.word("zero_multiplier", zero_multipliers, rule.zero_multiplier);
  visit.word("nan_in_amax", nans_in_amax, rule.nan_in_amax);
  visit.word("nan_code", nan_codes, rule.nan_code);
  visit.word("negative_zero", negative_zeros, rule.negative_zero);
  visit.word("ties", ties, rule.ties);
}

void members(auto& visit, Mxfp4Rule& rule) {
  visit.word("mode", scale_modes, rule.mode);
  visit.bits("amax_floor_f32", rule.amax_floor_f32);
  visit.word("sixth", sixths, rule.sixth);
  visit.word("quarter", quarters, rule.quarter);
  visit.bits("smallest_scale", rule.smallest_scale);
  visit.bits("largest_scale", rule.largest_scale);
  visit.word("nonfinite_scale", nonfinite_scales, rule.nonfinite_scale);
  visit.word("nan_in_amax", nans_in_amax, rule.nan_in_amax);
  visit.word("nan_code", nan_codes, rule.nan_code);
  visit.word("negative_zero", negative_zeros, rule.negative_zero);
  visit.word("ties", ties, rule.ties);
}

void members(auto& visit, Profile& profile) {
  visit.object("nan", profile.nan);
  visit.word("nan_sign", nan_signs, profile.nan_sign);
  visit.word("e8m0_00", e8m0_zeros, profile.e8m0_00);
  visit.word("e8m0_ff", e8m0_ffs, profile.e8m0_ff);
  visit.word("scale_family", families, profile.scale_family);
  visit.word("scale_sign", scale_signs, profile.scale_sign);
  visit.word("output_family", families, profile.output_family);
  visit.word("e4m3_overflow", overflows, profile.e4m3_overflow);
  visit.word("e4m3_infinity", infinities, profile.e4m3_infinity);
  visit.word("negative_zero", negative_zeros, profile.negative_zero);
  visit.word("zero_code_nan_scale", zero_codes, profile.zero_code_nan_scale);
  visit.word("scale_order", scale_orders, profile.scale_order);
  visit.word("page_stride", page_strides, profile.page_stride);
  visit.object("nvfp4_writer", profile.nvfp4_writer);
  visit.object("mxfp4_writer", profile.mxfp4_writer);
  visit.names("unverified", profile.unverified);
}

struct Writer {
  ordered_json& into;

  template <std::unsigned_integral Bits>
  void bits(const char* key, Bits& value) {
    into[key] = fmt::format("{:0{}x}", value, 2 * sizeof(Bits));
  }
  template <class Enum, std::size_t count>
  void word(const char* key, const Words<Enum, count>& words, Enum& value) {
    const auto* found = std::find_if(words.begin(), words.end(),
                                     [&](const auto& each) { return each.first == value; });
    into[key] = found == words.end() ? "" : found->second;
  }
  template <class Object>
  void object(const char* key, Object& value) {
    ordered_json inner = ordered_json::object();
    Writer writer{inner};
    members(writer, value);
    into[key] = std::move(inner);
  }
  void names(const char* key, std::vector<std::string>& value) { into[key] = value; }
};

// With `partial`, members that are not there keep the value that they have.
class Reader {
 public:
  Reader(const json& object, std::string place, bool partial)
      : place_(place), reader_(object, std::move(place)), partial_(partial) {}

  template <std::unsigned_integral Bits>
  void bits(const char* key, Bits& value) {
    if (left_out(key)) return;
    const std::string text = reader_.text(key);
    const bool is_hex = text.size() == 2 * sizeof(Bits) &&
                        text.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (is_hex) {
      value = static_cast<Bits>(std::stoul(text, nullptr, 16));
    } else {
      reader_.fault(key, fmt::format("expected {} hex digits in lower case, got \"{}\"",
                                     2 * sizeof(Bits), text));
    }
  }
  template <class Enum, std::size_t count>
  void word(const char* key, const Words<Enum, count>& words, Enum& value) {
    if (left_out(key)) return;
    const std::string text = reader_.text(key);
    std::vector<std::string_view> known;
    for (const auto& [each, spelled] : words) {
      known.push_back(spelled);
      if (spelled == text) value = each;
    }
    if (std::find(known.begin(), known.end(), text) == known.end()) {
      reader_.fault(key,
                    fmt::format("expected one of {}, got \"{}\"", fmt::join(known, ", "), text));
    }
  }
  template <class Object>
  void object(const char* key, Object& value) {
    if (left_out(key)) return;
    Reader inner(reader_.value(key), fmt::format("{}: \"{}\"", place_, key), partial_);
    members(inner, value);
    if (Status status = inner.done(); !status && inner_) inner_ = status;
  }
  void names(const char* key, std::vector<std::string>& value) {
    if (left_out(key)) return;
    const json& list = reader_.value(key);
    const bool strings =
        list.is_array() &&
        std::all_of(list.begin(), list.end(), [](const json& x) { return x.is_string(); });
    if (!strings) {
      reader_.fault(key, fmt::format("expected an array of strings, got {}", describe(list)));
      return;
    }
    value = list.get<std::vector<std::string>>();
  }

  JsonObject& object() { return reader_; }
  // The first fault: of this object, else of one in it.
  Status done() {
    Status own = reader_.done();
    return own ? inner_ : own;
  }

 private:
  bool left_out(const char* key) { return partial_ && reader_.optional_value(key) == nullptr; }

  std::string place_;
  JsonObject reader_;
  bool partial_;
  Status inner_;
};

}  // namespace

ordered_json to_json(const Profile& profile) {
  Profile copy = profile;
  ordered_json object{
      {"fp4cts_profile", schema_version}, {"name", copy.name}, {"version", copy.version}};
  Writer writer{object};
  members(writer, copy);
  return object;
}

Result<Profile> profile_from_json(const json& object, std::string_view source) {
  Profile profile;
  const bool extends = object.is_object() && object.contains("extends");
  Reader reader(object, std::string(source), extends);
  JsonObject& top = reader.object();
  top.integer("fp4cts_profile", schema_version, schema_version);
  profile.name = top.text("name");
  profile.version = static_cast<int>(top.integer("version", 1, INT32_MAX));
  if (top.optional_value("comment") != nullptr) top.text("comment");
  if (extends) {
    const std::string base = top.text("extends");
    std::vector<std::string_view> names;
    for (const Profile* shipped : profiles::shipped()) {
      names.push_back(shipped->name);
      if (shipped->name != base) continue;
      Profile extended = *shipped;
      extended.name = std::move(profile.name);
      extended.version = profile.version;
      profile = std::move(extended);
    }
    if (std::find(names.begin(), names.end(), base) == names.end()) {
      top.fault("extends",
                fmt::format("expected one of {}, got \"{}\"", fmt::join(names, ", "), base));
    }
  }
  members(reader, profile);
  if (Status status = reader.done(); !status) return tl::make_unexpected(status.error());
  return profile;
}

}  // namespace harness
