"""The command line: one verb a file, each loading only what it needs."""
