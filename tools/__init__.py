"""Programs that make the data of the package; they are part of a checkout, and not of the wheel."""
