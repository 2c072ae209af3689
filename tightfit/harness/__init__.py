"""Source to object to image to simulated run to measurement, and the store that keeps it."""
