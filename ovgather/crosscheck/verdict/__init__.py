"""Outputs compared and explained."""
