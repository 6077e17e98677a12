"""What is not XML, or a lone layer: repaired, and each repair reported."""
