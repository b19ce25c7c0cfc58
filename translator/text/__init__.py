"""What is done to text around a model: sentences, spans that are carried over, casing.

It may know `tokenizers` and the rooms below, and nothing of a model or a search.
"""
