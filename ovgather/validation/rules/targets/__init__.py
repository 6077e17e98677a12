"""Rules on what a file is meant for: they speak only where a release or a device is named."""
