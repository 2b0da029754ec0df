"""Reproduction of the paper's tables, on MNIST, Caltech 101 silhouettes and OCR letters.

Read in this order: `reported` (published figures), `recipes` (settings of the LRBN's training) and `systems`
(every kind of model, for equal seconds), `budgets` (extent of the measurements), `split` (the images),
`train`, `timed`, `measure` and `bounds` (the work of a stage), `store` (results of finished stages on disk),
`plan` (all stages in order), `experiment` (all results), `tables`, `findings`, `comparison_tables`,
`figures` and `report` (the report), `run` (execution, resumable). This module imports none of them, so that
the names of the recipes are available without delay.
"""
