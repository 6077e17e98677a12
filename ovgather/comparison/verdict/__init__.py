"""Outputs judged: ``judge`` compares with the reference (``compare``); a difference is a known deviation
(``known_deviations``) or gets a cause (``fault_models`` over ``faults_*``)."""
