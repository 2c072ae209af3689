"""The commands, one file a command: each parses its options, calls the interface, and prints."""
