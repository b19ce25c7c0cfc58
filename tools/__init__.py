"""Programs that write what the repository ships or tests against; no part of the package."""
