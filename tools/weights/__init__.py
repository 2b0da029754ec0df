"""Training and measurement of the models that come with the package; `FOLDER` receives their files."""

from pathlib import Path

import lrbn_viz

FOLDER = Path(lrbn_viz.__file__).parent / "weights"
"""The package's folder of trained models and of their figures."""
