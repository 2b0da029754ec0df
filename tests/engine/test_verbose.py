"""With `verbose` a fit says on standard error how far it is, and else nothing; what it learns is the same."""

import numpy as np
import pytest

import lrbn_viz

X = (np.random.default_rng(0).random((40, 9)) < 0.4).astype(np.uint8)
MODELS = {
    "LRBN": lambda: lrbn_viz.LRBN(4, n_iter=3, validation_size=0, random_state=0),
    "RBM": lambda: lrbn_viz.RBM(4, n_iter=3, validation_size=0, random_state=0),
    "layer by layer": lambda: lrbn_viz.LRBN((4, 3), layer_by_layer=True, n_iter=3, random_state=0),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_bar_ends_at_the_whole_and_changes_nothing(name, capsys):
    silent = MODELS[name]().fit(X)
    assert capsys.readouterr() == ("", "")
    shown = MODELS[name]().fit(X, verbose=True)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("\rtraining   0%|")
    assert said.err.rpartition("\r")[2].startswith("training 100%|")
    np.testing.assert_array_equal(silent.transform(X), shown.transform(X))
