"""Finds the best translations of encoded sentences: beam search and the engines that run it.

It may import `attention` and the rooms below. It works with ids, never with text.
"""
