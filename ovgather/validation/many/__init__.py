"""Many files: results as JSON, a cache of results, and other people's executors."""
