# SPDX-License-Identifier: GPL-3.0-or-later
# Types of the package, for editors and type checkers.
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Optional, Union

_Path = Union[str, os.PathLike[str]]
_Names = Union[str, Sequence[str]]
_Ladder = tuple[float, float, int]
_Model = Union[str, "Functions", "Matrices", Any]
_Scheme = Union[str, "Scheme"]
_Column = Sequence[float]

__version__: str

class Error(Exception):
    run: Optional[Run]
    def __init__(self, text: str, run: Optional[Run] = None) -> None: ...

class Run:
    columns: list[str]
    complete: bool
    failure: str
    notes: dict[str, str]
    warnings: list[str]
    work: dict[str, Union[int, float]]
    events: list[dict[str, Any]]
    t: _Column
    q: Any
    v: Any
    g: Any
    u: Any
    p: Any
    def __getitem__(self, name: str) -> _Column: ...
    def __getattr__(self, name: str) -> Any: ...
    def __len__(self) -> int: ...
    def label(self, column: str) -> str: ...
    def at(self, t: Union[float, Iterable[float]], columns: Optional[_Names] = None, side: int = 1) -> dict[str, Any]: ...
    def to_csv(self, path: _Path) -> None: ...
    def to_dataframe(self) -> Any: ...
    def plot(self, of: Optional[_Names] = None, exact: Optional[Run] = None, style: str = "screen", size: Optional[str] = None, key: str = "auto") -> Any: ...

class Study:
    against: Optional[str]
    errors: list[dict[str, Any]]
    orders: list[dict[str, Any]]
    curves: list[dict[str, Any]]
    quality: list[dict[str, Any]]
    report: str
    complete: bool
    def order(
        self, scheme: Optional[str] = None, norm: Optional[str] = None, of: Optional[str] = None
    ) -> tuple[float, float, float]: ...
    def plot(self, norm: Optional[str] = None, of: Optional[str] = None, style: str = "screen", size: Optional[str] = None, key: str = "auto") -> Any: ...

class Comparison(dict[str, Run]):
    exact: Optional[Run]
    failures: dict[str, str]
    def plot(self, of: Optional[_Names] = None, style: str = "screen", size: Optional[str] = None, key: str = "auto") -> Any: ...

class Rows(list[dict[str, Any]]):
    messages: list[str]
    def __init__(self, rows: Iterable[dict[str, Any]], messages: list[str]) -> None: ...
    def column(self, name: str) -> list[Any]: ...

class Reference:
    model: str
    text: str
    error: float
    exact: bool
    run: Run
    def distance(self, run: Run, column: str = "v", norm: str = "hausdorff") -> dict[str, Any]: ...
    def line(
        self,
        scheme: _Scheme,
        x: Sequence[float],
        errors: Sequence[float],
        column: str = "v",
        norm: str = "hausdorff",
        against: str = "step",
        level: Optional[Sequence[int]] = None,
    ) -> dict[str, Any]: ...

class Estimate(NamedTuple):
    value: float
    low: float
    high: float
    error: float
    status: str

class Gradient:
    of: list[str]
    by: list[str]
    value: dict[str, float]
    matrix: Any
    status: dict[str, str]
    messages: list[str]
    def __getitem__(self, names: tuple[str, str]) -> float: ...
    def __array__(self, dtype: Any = None, copy: Any = None) -> Any: ...

class Fit:
    model: str
    by: list[str]
    of: list[str]
    estimates: dict[str, Estimate]
    parameters: dict[str, float]
    covariance: Any
    sigma: dict[str, float]
    rms: dict[str, float]
    fitted: Any
    converged: bool
    iterations: int
    runs: int
    freedom: int
    quantile: float
    messages: list[str]
    def __getitem__(self, name: str) -> Estimate: ...
    @property
    def correlation(self) -> Any: ...
    def curve(self, t: Iterable[float]) -> tuple[Any, Any]: ...

class Matrices:
    name: str
    def __init__(self, name: str = "matrices", **matrices: Any) -> None: ...

class Functions:
    name: str
    def __init__(
        self,
        name: str,
        q0: Sequence[float],
        v0: Sequence[float],
        force: Callable[..., Any],
        mass: Any = 1.0,
        gap: Optional[Callable[..., Any]] = None,
        gradient: Any = None,
        stiffness: Optional[Callable[..., Any]] = None,
        damping: Optional[Callable[..., Any]] = None,
        gap_rate: Optional[Callable[..., Any]] = None,
        curvature: Optional[Callable[..., Any]] = None,
    ) -> None: ...

class Scheme:
    name: str
    def __init__(self, name: str, step: Callable[..., Any]) -> None: ...

def run(model: _Model, scheme: _Scheme, step: Optional[float] = None, end: float = 10.0, **parameters: Any) -> Run: ...
def reference(
    model: _Model, end: float = 10.0, *, event_driven: bool = False, of: Optional[_Names] = None, **parameters: Any
) -> Reference: ...
def exact(
    model: _Model, at: Union[None, float, Iterable[float]] = None, end: float = 10.0, **parameters: Any
) -> Run: ...
def models() -> dict[str, str]: ...
def schemes() -> dict[str, str]: ...
def plugin(path: _Path) -> None: ...
def library_path() -> str: ...
def tool_path() -> str: ...
def check_model(model: _Model, states: int = 8, seed: int = 1, **parameters: Any) -> list[dict[str, Any]]: ...
def compare(
    model: _Model, schemes: Union[_Scheme, Sequence[_Scheme]], step: Optional[float] = None, end: float = 10.0, **parameters: Any
) -> Comparison: ...
def energy(model: _Model, scheme: _Scheme, step: Optional[float] = None, end: float = 10.0, **parameters: Any) -> Run: ...
def order(
    model: _Model,
    schemes: Union[_Scheme, Sequence[_Scheme]],
    steps: Optional[_Ladder] = None,
    end: float = 10.0,
    norm: _Names = ("hausdorff", "l1"),
    of: _Names = ("q", "v"),
    repeats: int = 8,
    seed: int = 1,
    jobs: int = 1,
    reference: str = "exact",
    check_reference: bool = False,
    set: Optional[Mapping[str, Any]] = None,
    **parameters: Any,
) -> Study: ...
def work(
    model: _Model,
    schemes: Union[_Scheme, Sequence[_Scheme]],
    steps: Optional[_Ladder] = None,
    tols: Optional[_Ladder] = None,
    end: float = 10.0,
    norm: _Names = "grid-max",
    of: _Names = "q",
    against: str = "evals",
    repeats: int = 8,
    seed: int = 1,
    jobs: int = 1,
    reference: str = "exact",
    check_reference: bool = False,
    set: Optional[Mapping[str, Any]] = None,
    **parameters: Any,
) -> Study: ...
def judge(
    model: _Model,
    runs: Mapping[Any, Any],
    end: float = 0.0,
    norm: _Names = ("hausdorff", "l1"),
    of: _Names = ("q", "v"),
    between: str = "linear",
    reference: str = "exact",
    check_reference: bool = False,
    set: Optional[Mapping[str, Any]] = None,
    **parameters: Any,
) -> Study: ...
def gradient(
    model: _Model,
    scheme: _Scheme = "event-driven",
    *,
    of: Optional[_Names] = None,
    integral: Optional[_Names] = None,
    by: _Names,
    at: float,
    step: Optional[float] = None,
    method: str = "forward",
    tangent: Optional[str] = None,
    set: Optional[Mapping[str, Any]] = None,
    **parameters: Any,
) -> Gradient: ...
def fit(
    model: _Model,
    data: Any,
    *,
    by: _Names,
    of: _Names,
    scheme: _Scheme = "event-driven",
    step: Optional[float] = None,
    sigma: Union[None, float, Mapping[str, float]] = None,
    range: Optional[Mapping[str, tuple[Optional[float], Optional[float]]]] = None,
    level: float = 0.95,
    tol: float = 1e-4,
    iterations: int = 50,
    starts: int = 1,
    method: str = "forward",
    set: Optional[Mapping[str, Any]] = None,
    **parameters: Any,
) -> Fit: ...
def advise(
    model: _Model,
    error: Optional[float] = None,
    *,
    scheme: Optional[_Names] = None,
    end: Optional[float] = None,
    norm: Optional[str] = None,
    of: Optional[_Names] = None,
    against: Optional[str] = None,
    most_steps: Optional[float] = None,
    reference: Optional[str] = None,
    seed: Optional[int] = None,
    law: Optional[str] = None,
    set: Optional[Mapping[str, Any]] = None,
    **parameters: Any,
) -> Rows: ...
def spectrum(
    scheme: _Names,
    *,
    steps: Optional[_Ladder] = None,
    of: Optional[_Names] = None,
    at: Union[None, float, list[float]] = None,
    damping: Optional[float] = None,
    frequency: Optional[float] = None,
) -> Rows: ...
def sweep(
    model: _Model,
    scheme: str,
    sweep: Mapping[str, Union[tuple[Any, ...], list[float]]],
    *,
    step: Optional[float] = None,
    end: Optional[float] = None,
    of: Optional[_Names] = None,
    law: Optional[str] = None,
    jobs: Optional[int] = None,
    set: Optional[Mapping[str, Any]] = None,
    **parameters: Any,
) -> Rows: ...
def distance(
    a: Union[_Path, Run],
    b: Union[None, _Path, Run] = None,
    *,
    column: Optional[_Names] = None,
    norm: Optional[str] = None,
    tau: Optional[float] = None,
    xi: Optional[float] = None,
    accuracy: Optional[float] = None,
    between: Optional[str] = None,
    map: Optional[_Names] = None,
    exact: Optional[str] = None,
    set: Optional[Mapping[str, Any]] = None,
    **parameters: Any,
) -> dict[str, Any]: ...
def study(
    name: _Path,
    out: _Path,
    *,
    overwrite: bool = False,
    resume: bool = False,
    jobs: Optional[int] = None,
    plot_format: Optional[str] = None,
    style: Optional[str] = None,
    size: Optional[str] = None,
    key: Optional[str] = None,
) -> Rows: ...
def cite(*names: _Path, all: bool = False, format: Optional[str] = None) -> str: ...
def contact(
    *paths: _Path,
    method: Optional[str] = None,
    all_methods: bool = False,
    tolerance: Optional[float] = None,
    facets: Optional[int] = None,
    out: Optional[_Path] = None,
) -> Rows: ...
def entries(kind: str, *words: str) -> Rows: ...
def ledger(
    out: _Path,
    *,
    problem: Optional[_Names] = None,
    scheme: Optional[_Names] = None,
    steps: Any = None,
    repeats: Optional[int] = None,
    seed: Optional[int] = None,
    quick: bool = False,
    engines: Optional[_Path] = None,
    jobs: Optional[int] = None,
) -> Rows: ...
def merge(
    folder: _Path,
    *,
    allow_run: bool = False,
    plot_format: Optional[str] = None,
    style: Optional[str] = None,
) -> str: ...
def show(name: str, *, thresholds: bool = False) -> str: ...
def verify(*paths: _Path, allow_run: bool = False) -> dict[str, Any]: ...
def explain(
    run: Union[_Path, Run],
    model: Optional[str] = None,
    *,
    between: Optional[str] = None,
    map: Optional[_Names] = None,
    set: Optional[Mapping[str, Any]] = None,
    **parameters: Any,
) -> str: ...
def lesson(name: str, out: _Path, live: bool = False) -> str: ...
def playground(
    out: _Path,
    model: Optional[_Model] = None,
    *,
    scheme: Optional[_Names] = None,
    step: Optional[float] = None,
    tol: Optional[float] = None,
    end: Optional[float] = None,
    norm: Optional[str] = None,
    of: Optional[str] = None,
    set: Optional[Mapping[str, Any]] = None,
    **parameters: Any,
) -> str: ...
