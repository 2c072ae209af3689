"""Costs with a toolchain's interface, without measuring more of them than answers need."""

from dataclasses import replace

from tightfit.exporter.figures import read_figures
from tightfit.exporter.interfaces import load_interface
from tightfit.exporter.prepared import is_measurable, predicted, prepare, with_figures
from tightfit.records import Cost, Measurement
from tightfit.reports.answer import Known


class Counted:
    """What is known with the costs of a toolchain's interface: as shipped or measured, predicted until then.

    Where nothing can be measured, only variants are known
    whose costs ship with the portfolio.
    """

    def __init__(self, toolchain: str):
        self.toolchain = toolchain
        self._plain: dict[str, Measurement] = {}
        self._costs: dict[str, Cost] = {}

    def known(self, known: Known) -> Known:
        """What is known, with these costs."""
        if all(map(self._is_counted, known.measurements)):
            return known
        measurable = [one for one in with_figures(known).usable if is_measurable(one)]
        self._plain = {one.variant.id: one for one in measurable}
        return replace(known, measurements=tuple(map(self._seen, measurable)))

    def is_settled(self, variant_id: str) -> bool:
        """Whether the cost of a variant was no prediction; if it was, it is measured now."""
        if variant_id not in self._plain or variant_id in self._costs:
            return True
        prepared = prepare(self._plain[variant_id], "tf", self.toolchain)
        self._costs[variant_id] = prepared.as_exported.cost
        return False

    def _is_counted(self, measurement: Measurement) -> bool:
        return load_interface(measurement.variant.target, self.toolchain).counted

    def _seen(self, measurement: Measurement) -> Measurement:
        variant = measurement.variant
        figure = read_figures(variant.target, variant.primitive).get(variant.id)
        if figure is not None:
            self._costs.setdefault(variant.id, figure.cost)
        cost = self._costs.get(variant.id) or predicted(measurement, self.toolchain).cost
        return replace(measurement, cost=cost)
