"""The Transformer of Vaswani et al. (2017), "Attention Is All You Need", in Keras 3; its losses.

It may import `config` and the rooms below.

Shapes are written with one legend throughout the package: B batch, S source
length, T target length, N heads, H head dimension, D model dimension
(``d_model``), V vocabulary, L layers, K beams.

https://arxiv.org/abs/1706.03762
"""
