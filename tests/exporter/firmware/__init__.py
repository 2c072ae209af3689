"""Exported libraries in firmware that the C compilers of the targets make, on every simulator there is.

`winners` exports what the portfolio holds, `images` compiles and links it, `boards` runs it. The C that calls
the routines is rendered from `c/`; what C cannot say, start-up and the call with all saved registers watched,
is in the folder of each target.
"""
