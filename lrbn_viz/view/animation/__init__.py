"""Traces and training as moving pictures for slides: animated WebP or PNG, and MP4 where ffmpeg is found.

The drawing code uses the methods of a trace or of stored moments of training, not their types. `export` and
`settings` can be imported without Matplotlib, which the other modules bring.
"""
