#pragma once
#include "theory/models/sharper_family.hpp"
#include "verify/search/local_search.hpp"

/// The family `one-logit-per-mover` (docs/theory/refutations) as a search sees it: six numbers fix a member
/// of a size.
namespace rankfall::verify {

/// Where the search begins: the middle of what makes sense, not a known instance.
Point first_movers();

/// About log2(left/right) of the member, in double: to choose what is worth certifying. Minus infinity where
/// there is no such member.
double mover_estimate(long tokens, const Point& point);

/// The member, its numbers rounded to eight decimals. Throws DomainError where there is none.
theory::SharperFamily movers(long tokens, const Point& point);

}  // namespace rankfall::verify
