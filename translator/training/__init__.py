"""Training a run: schedules, losses, optimiser, the loop, its state, finishing the run.

It may know every room but `cli`.
"""
