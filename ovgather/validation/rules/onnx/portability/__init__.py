"""Rules about what IR, a release of OpenVINO or a device supports."""
