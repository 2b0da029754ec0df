"""The paper's tables, made again: ``lrbn-viz reproduce mnist|caltech|ocr``.

Read in this order: `reported` (what the paper says), `recipes` (what is trained, as a table of settings),
`split` (on which images), `train` and `measure` (what a stage does), `store` (what a finished stage leaves
on disk), `plan` and `run` (all stages in order, resumable), `tables`, `findings`, `drawing`, `charts`,
`pictures` and `report` (what a reader gets). This module imports none of them, so that asking for the names
of the recipes costs nothing.
"""
