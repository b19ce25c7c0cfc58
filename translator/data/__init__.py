"""Sentence pairs prepared for training: encoded on disk, and divided into batches.

It may import `text` and the rooms below.
"""
