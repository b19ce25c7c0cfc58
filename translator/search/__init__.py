"""Finds the best translations of sentences as ids: beam search and the engines that run it.

It may import `runs` and the rooms below.
"""
