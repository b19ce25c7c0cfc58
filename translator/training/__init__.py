"""Training a run: schedules, optimiser, the loop, its state, finishing the run.

It may import every room but `cli`.
"""
