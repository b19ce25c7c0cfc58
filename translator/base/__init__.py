"""What every other room needs: errors, files, cache, downloads, pages, languages, processes, Keras.

It may import no other room.
"""
