"""From contradictions to findings: the smallest repair that explains most is what was most likely done."""
