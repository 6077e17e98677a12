"""What is reported: codes, configuration, suppression comments, baselines."""
