"""Words that several rules share."""
