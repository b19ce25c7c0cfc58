"""What every other room needs: errors, files, lock, cache, downloads, languages, Keras start-up.

It knows nothing about translation and imports no other room.
"""
