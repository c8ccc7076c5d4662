#pragma once

#include <optional>
#include <string>

#include "dolmen/number.h"
#include "value/number_parts.h"

/// Numbers as 32-bit floats, which is how vector indexes keep them.
namespace dolmen {

/// The nearest float; zero for a number that is too small. Nothing when its magnitude is above 3.4028235E38.
std::optional<float> nearest_float(const Decimal& decimal);
std::optional<float> nearest_float(const Number& number);

/// The shortest decimal that names a finite float.
Number number_of(float value);

/// The same as DynamoDB writes it: without an exponent, and always with a point ("1.0", "-0.25").
void append_float(std::string& out, float value);

/// A number with an exponent of ten: "4E+38", "-1.25E-7".
std::string scientific_text(const Number& number);

}  // namespace dolmen
