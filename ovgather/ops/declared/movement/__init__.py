"""Operations that move elements, look them up, or put them elsewhere."""
