"""Two models -> which layers of one are which of the other, and what that leaves different."""
