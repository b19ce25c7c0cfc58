"""What is done to text before and after a model: sentences, spans carried over, capitals.

It may import `tokenizers` and the rooms below but `model`.
"""
