#include "oracle/numbers/encode.hpp"

#include "oracle/numbers/describe.hpp"

namespace oracle::detail {

Error refusal_error(const FormatSpec& f, const Exact& x, const Rounding& rounding,
                    Overflow overflow, Refusal refusal) {
  const std::string name(f.name);
  std::string message = "encode " + name + " " + std::string(name_of(rounding.mode)) + " " +
                        std::string(name_of(overflow)) + ", input " + exact_decimal(x) + ": ";
  ErrorCode code = ErrorCode::not_representable;
  switch (refusal) {
    case Refusal::bad_rounding:
      code = ErrorCode::invalid_argument;
      message += "expected random bits for rs alone, width 1 to 32 and bits < 2^width; got width " +
                 std::to_string(rounding.random.width) + ", bits " +
                 std::to_string(rounding.random.bits);
      break;
    case Refusal::bad_nan_code:
      code = ErrorCode::invalid_argument;
      message += "the code given for NaN is wider than " + std::to_string(code_bits(f)) + " bits";
      break;
    case Refusal::no_nan:
      message += name + " has no NaN and no code was given for it";
      break;
    case Refusal::no_infinity:
      message += name + " has no infinity";
      break;
    case Refusal::no_sign:
      message += name + " has no sign";
      break;
    case Refusal::no_zero:
      message += name + " has no zero, its smallest value is " + exact_decimal(min_positive(f));
      break;
    case Refusal::none:
      break;
  }
  return {code, message};
}

}  // namespace oracle::detail
