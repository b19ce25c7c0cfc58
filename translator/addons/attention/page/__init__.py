"""The explorer: attention records as one HTML page that needs no network."""
