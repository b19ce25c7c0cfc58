"""What every other room needs: errors, files, lock, cache, downloads, pages, languages, Keras.

It may import no other room.
"""
