"""What several rules know of a file."""
