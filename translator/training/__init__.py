"""Training a run: schedules, losses, optimiser, the loop, its state, finishing the run.

It may import every room but `cli`.
"""
