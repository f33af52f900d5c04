# SPDX-License-Identifier: Apache-2.0
"""pytest: a function with @fp4cts.conforms(OPERATION) is one test for each case, judged in one run."""
import pytest


class _Run:
    """One run for the cases of a function that pytest has selected."""

    def __init__(self, fn, operation, level, options):
        self.fn, self.operation, self.level, self.options = fn, operation, level, options
        self.result = None

    def failure(self, item):
        if self.result is None:
            from . import judge
            chosen = [other.case for other in item.session.items if isinstance(other, CaseItem) and other.run is self]
            everything = judge.cases(self.operation, self.level)
            self.result = judge.check(self.fn, self.operation, self.level, raises=False,
                                      cases=None if chosen == everything else chosen, **self.options)
        judged = {record["case"] for record in self.result.cases}
        for failure in self.result.failures:
            if failure.case == item.case:
                return str(failure)
        if not self.result and not self.result.failures:  # wrong in a way that is no case's
            return f"{self.result.verdict}: {'; '.join(self.result.reasons)}\n{self.result}"
        return None if item.case in judged else f"{item.case} was not judged\n{self.result}"


class CaseItem(pytest.Item):
    """One case of one function."""

    def __init__(self, *, run, case, **keywords):
        super().__init__(**keywords)
        self.run, self.case = run, case

    def runtest(self):
        failure = self.run.failure(self)
        if failure is not None:
            raise _Failed(failure)

    def repr_failure(self, excinfo, style=None):
        return str(excinfo.value) if isinstance(excinfo.value, _Failed) else super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, self.name


class _Failed(AssertionError):
    pass


def pytest_pycollect_makeitem(collector, name, obj):
    about = getattr(obj, "__fp4cts__", None)
    if about is None or not callable(obj):
        return None
    from . import judge
    operation, level, options = about
    run = _Run(obj, operation, level, options)
    return [CaseItem.from_parent(collector, name=f"{name}[{case.split('/', 1)[1]}]", run=run, case=case)
            for case in judge.cases(operation, level)]
