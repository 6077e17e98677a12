"""Exit codes, the same for every verb and format."""

CLEAN, FINDINGS, USAGE, NO_FILE, UNREADABLE, MISSING, BUG, INTERRUPTED = 0, 1, 2, 3, 4, 5, 70, 130
