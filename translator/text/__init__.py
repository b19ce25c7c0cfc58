"""Prepares text for a model and writes its output: sentences, spans carried over, capitals.

It may import `tokenizers` and the rooms below it, except `model`.
"""
