"""Fills the cells of the portfolio: from budgets to winners that passed the full gate.

In the order of the work:

1. `jobs` says which operations of which primitives are filled on which parts.
2. `stages` fills one job: the search answers every budget, the winners go through the full gate, the cells
   are kept, the C baselines are measured.
3. `gates` measures for the search, and corrects it by what the full gate finds of a winner.
4. `portfolio` writes what the store then knows as text.

`progress` is what a display of all this must offer; `outcome` is what a job came to, as text and as JSON.
"""
