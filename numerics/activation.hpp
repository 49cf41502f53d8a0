#pragma once
#include "numerics/ball.hpp"

namespace rankfall {

/// The activations of an MLP block. With Phi the standard normal distribution function:
/// relu max(x, 0); gelu x Phi(x); gelu_tanh x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))/2; silu x/(1 + e^-x).
enum class Activation { identity, relu, gelu, gelu_tanh, tanh, silu };

/// Encloses f(x).
Ball value(Activation activation, const Ball& x, Precision p);

/// Encloses f'(x); [0, 1] for relu when x contains 0, which is right for every mean value over x.
Ball derivative(Activation activation, const Ball& x, Precision p);

/// Encloses (f(y + r 2^exponent) - f(y)) / 2^exponent, without cancellation: for exact y and r the result
/// keeps about p bits however small the step is, except as near to a zero of f' as the step's accuracy
/// demands. relu is piecewise exact; where the balls do not tell on which side of the kink a point lies, the
/// result covers both.
Ball difference(Activation activation, const Ball& y, const Ball& r, const Integer& exponent, Precision p);

}  // namespace rankfall
