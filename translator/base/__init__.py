"""What every other room needs: errors, files, lock, cache, downloads, languages, pages, Keras start-up.

It may import no other room.
"""
