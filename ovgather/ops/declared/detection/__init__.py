"""Boxes: anchors, proposals, suppression."""
