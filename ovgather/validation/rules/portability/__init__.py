"""Rules about what another format can express."""
