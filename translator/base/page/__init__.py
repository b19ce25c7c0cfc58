"""Of every HTML page that the program writes: its opening, its theme and small helpers."""
