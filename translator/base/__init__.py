"""Used by every other room: errors, files, cache, downloads, languages, processes, Keras.

It may import no other room.
"""
