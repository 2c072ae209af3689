"""tightfit: the fastest cryptographic implementation that fits a ROM and RAM budget, measured."""

__version__ = "0.1.0"
