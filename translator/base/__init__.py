"""What every other room needs: errors, files, cache, downloads, pages, languages, Keras start-up.

It may import no other room.
"""
