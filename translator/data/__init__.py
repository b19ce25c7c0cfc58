"""Sentence pairs prepared for training: encoded on disk, planned as batches.

It may know `text` and the rooms below.
"""
