"""The conformance of a device: ``matrix`` makes the cases, ``campaign`` runs what is not known yet, ``results`` holds
what came of it and compares it with a list of expected failures.
"""
