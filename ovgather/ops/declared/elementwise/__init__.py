"""Operations on each element, and on pairs of elements."""
