"""Routines that tightfit did not generate, measured by the same rules: compiled C, somebody else's work."""
