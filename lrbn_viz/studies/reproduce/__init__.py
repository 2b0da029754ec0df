"""Reproduction of the paper's tables, on MNIST, Caltech 101 silhouettes and OCR letters.

Read in this order: `reported` (what is published), `recipes` (how the LRBN is trained, as a table of
settings) and `systems` (every kind of model, for equal seconds), `budgets` (how much is measured), `split`
(on which images), `train`, `timed`, `measure` and `bounds` (what a stage does), `store` (what a finished
stage leaves on disk), `plan` (all stages in order), `experiment` (what was found), `tables`, `findings`,
`standing`, `figures` and `report` (what a reader gets), `run` (doing it, resumable). This module imports none
of them, so that asking for the names of the recipes costs nothing.
"""
