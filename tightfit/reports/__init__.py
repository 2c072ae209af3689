"""What is known, put into answers, tables and pages. Works from records alone: no toolchain, no store."""
