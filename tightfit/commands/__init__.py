"""The commands, one module a group; each parses, asks the package, and prints."""
