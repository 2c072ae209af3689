"""@NAME@ from another source than the reference.

Here go the same functions as in `reference.py`: those of a library, or where none has the primitive, built in
another way, with no table and no formula of the reference. A copy is refused. It
answers every random input of the gate, so it should be quick.
"""
