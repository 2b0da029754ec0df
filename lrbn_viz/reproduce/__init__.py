"""The paper's tables, made again: ``lrbn-viz reproduce mnist|caltech|ocr``.

Read in this order: `reported` (what the paper says), `recipes` (what is trained, as a table of settings),
`budgets` (how much is measured), `split` (on which images), `train` and `measure` (what a stage does),
`store` (what a finished stage leaves on disk), `plan` (all stages in order), `experiment` (what was found),
`tables`, `findings`, `figures` and `report` (what a reader gets), `run` (doing it, resumable). This module
imports none of them, so that asking for the names of the recipes costs nothing.
"""
