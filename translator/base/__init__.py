"""What every room stands on: errors, files, lock, cache, download, machine, Keras start-up.

It knows nothing of translation and imports no other room.
"""
