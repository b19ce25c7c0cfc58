"""Finds the best translations of sentences as ids: beam search and the engines that run it.

It may import `attention` and the rooms below.
"""
