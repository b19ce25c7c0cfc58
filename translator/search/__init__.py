"""Finding the best translations of encoded sentences: beam search and the engines that run it.

It may know `attention` and the rooms below; it sees ids and never text.
"""
