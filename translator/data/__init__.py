"""Sentence pairs prepared for training: encoded on disk, planned as batches.

It may import `text` and the rooms below.
"""
