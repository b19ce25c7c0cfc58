"""Sentence pairs on their way to training: encoded on disk, planned as batches, prepared.

It may know `text` and the rooms below.
"""
