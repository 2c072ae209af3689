"""The best of each kind on each target within the sizes: what opens first."""

from tightfit.explorer.views import View, prose, stack


def best() -> View:
    """The picture, which is text and bars."""
    picture = prose(
        "region",
        "The best of each kind on each target",
        sizing_mode="stretch_both",
        name="best",
        css_classes=["scroll", "dense", "full"],
    )
    return View(stack(picture), {"best_of_kinds": picture})
