"""Spans that are taken over from the source into the translation, such as numbers and names.

Each kind of span is a class and a name in `registry`. How the spans of any kind are shown to the
model is in `showing`, how they are found again and put back in `restoring`.
"""
