"""The conformance of a device: ``matrix`` makes the cases, ``campaign`` runs them and counts what came of them."""
