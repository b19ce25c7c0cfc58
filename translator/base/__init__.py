"""What every other room needs: errors, files, cache, downloads, languages, processes, Keras.

It may import no other room.
"""
