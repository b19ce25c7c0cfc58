"""The explorer: records as one HTML page that needs no network."""
