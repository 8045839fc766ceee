"""The widgets' other traits, the exhibits' classes, and how code reaches a page."""

import re

import numpy as np
import pytest

import attention_lab
from attention_lab import AttentionCube, AttentionHeatmap, MultiHeadExample, exhibits, static
from attention_lab.offline import make_offline

WEIGHTS = np.full((2, 3, 4), 0.25)


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("emphasized_head", np.int64(1), 1),
        ("emphasized_head", -1, -1),
        ("query_tokens", ("a", "b", "c"), ["a", "b", "c"]),
        ("key_tokens", "a b c d", ["a", "b", "c", "d"]),
        ("causal", True, True),
        ("colormap", "viridis", "viridis"),
        ("domain", (0, 1), [0, 1]),
        ("height", 300, 300),
        ("label", "Weights", "Weights"),
        ("inspector", False, False),
    ],
)
def test_an_argument_is_kept(name, value, kept):
    assert getattr(AttentionCube(WEIGHTS, **{name: value}), name) == kept


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("emphasized_head", 1.5, "emphasized_head was 1.5; it had to be a whole number"),
        ("emphasized_head", None, "emphasized_head was None"),
        ("emphasized_head", True, "emphasized_head was True"),
        ("emphasized_head", -2, "emphasized_head was -2"),
        ("query_tokens", ["a", "b"], "query_tokens was 2 tokens; it had to be 3"),
        ("tokens", ["a", "b", "c"], "tokens was 3 tokens; it had to be 4, one for each of the keys"),
        ("tokens", ["a", 2, "c"], "tokens was a list with 2 in it"),
        ("tokens", 7, "tokens was 7"),
        ("mask", np.ones((2, 2)), r"mask was of shape \(2, 2\); .* broadcasts to \(2, 3, 4\)"),
        ("causal", 1, "causal was 1; it had to be True or False"),
        ("colormap", "jet", "colormap was 'jet'; it had to be one of purples"),
        ("domain", (1, 0), r"domain was \(1, 0\); it had to be two finite numbers"),
        ("height", 0, "height was 0; it had to be a number of pixels above 0"),
        ("label", 3, "label was 3; it had to be a text"),
    ],
)
def test_a_wrong_argument_is_refused_by_name(name, value, message):
    with pytest.raises(ValueError, match=message):
        AttentionCube(WEIGHTS, **{name: value})


def test_an_argument_that_there_is_not_is_refused():
    with pytest.raises(TypeError, match="AttentionHeatmap has no 'emphasized_head'"):
        AttentionHeatmap(WEIGHTS, emphasized_head=1)


def test_the_version_is_the_packages():
    assert attention_lab.__version__.count(".") == 2


def test_each_exhibit_has_a_class():
    elements = [exhibit["element"] for exhibit in static.lab()["exhibits"]]
    assert len(elements) >= 26
    for element in elements:
        name = "".join(part.capitalize() for part in element.split("-"))
        widget = getattr(attention_lab, name)()
        assert widget.exhibit == element
        assert set(widget.state) == set(widget._settings)


def test_an_exhibits_settings_are_arguments_properties_and_its_state():
    figure = MultiHeadExample(num_heads=8, show="cube")
    assert figure.num_heads == 8
    assert figure.state == {"numHeads": 8, "emphasizedHead": -1, "scale": "common"}
    assert figure.options == {"show": "cube"}
    figure.emphasized_head = 2
    assert figure.state["emphasizedHead"] == 2
    figure.set_state({"state": {"numHeads": 2, "emphasizedHead": -1, "scale": "own"}})
    assert (figure.num_heads, figure.scale) == (2, "own")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_heads": 3}, "num_heads was 3; it had to be one of 1, 2, 4, 8"),
        ({"num_heads": 8.0}, "num_heads was 8.0"),
        ({"emphasized_head": 8}, "emphasized_head was 8; it had to be a whole number from -1 to 7"),
        ({"show": "all"}, "show was 'all'; it had to be one of both, heads, cube"),
        ({"state": {"heads": 3}}, "a setting was 'heads'; it had to be one of numHeads"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(arguments, message):
    with pytest.raises(ValueError, match=message):
        MultiHeadExample(**arguments)


def test_a_setting_that_there_is_not_is_refused():
    with pytest.raises(TypeError, match="MultiHeadExample has no 'heads'; there are num_heads"):
        MultiHeadExample(heads=3)


def test_a_view_carries_its_code_and_no_engine():
    cube = AttentionCube(WEIGHTS)
    assert "export" in cube._esm
    assert "application/wasm" not in cube._esm
    assert "application/wasm" in MultiHeadExample()._esm


def test_a_module_looks_for_no_file():
    for name in ["cube.js", "heatmap.js", "heads.js", "lines.js", "exhibits.js", "shell.js"]:
        code = static.read(name)
        assert not re.search(r"""(?:\bfrom|\bimport)\s*\(?\s*["'`](?:\.|/|https?:)""", code)
        assert not re.search(r"""\.(?:wasm|js)["'`]\s*,\s*import\.meta""", code)


def test_only_marimos_pages_are_made_to_draw_offline(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<html><body></body></html>")
    with pytest.raises(ValueError, match="it had to be a page of 'marimo export html'"):
        make_offline(page)
    page.write_text("<html><body><script>__MARIMO_MOUNT_CONFIG__</script></body></html>")
    make_offline(page)
    once = page.read_text()
    make_offline(page)
    assert page.read_text() == once
    assert once.count("attention-lab-page") > 0 and once.endswith("</body></html>")


def test_a_list_that_is_empty_at_first_takes_any_length():
    assert exhibits.OpenAttention(left_out=["[CLS]"]).left_out == ["[CLS]"]
    with pytest.raises(ValueError, match="left_out was '"):
        exhibits.OpenAttention(left_out="[CLS]")
