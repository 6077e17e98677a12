"""Rules about what OpenVINO itself says."""
