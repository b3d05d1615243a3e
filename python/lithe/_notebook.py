"""How models and results show themselves: in notebooks as a static picture with curves, and as the report page."""

import html
import json
import pathlib
import sys
import tempfile
import webbrowser

import numpy as np

from ._picture import floats, picture

_WIDTH, _HEIGHT = 420, 162  # pixels of a chart
_LEFT, _TOP, _BOTTOM = 52, 32, 18  # of its frame
_MOST_LETTERS = 64  # of the names of curves above a chart
_COLOURS = ("#4878a8", "#e08030", "#509058", "#b05080", "#808080", "#906848")
_MOST_CURVES = len(_COLOURS)
_MOST_CHARTS = 3
# What is drawn first; other groups follow in the order of the columns.
_FIRST = ("deflections", "tracking errors", "torques", "forces", "drive forces", "angles", "distances", "positions")
_PAGE_DATA = "LITHE_REPORT_DATA"


def _number(value):
    return f"{value:.3g}"


def _line(t, y, low, high):
    """Points of a curve, at most some hundreds of them, with their extremes."""
    keep = np.unique(np.linspace(0, len(t) - 1, 600).astype(int))
    keep = np.unique(np.concatenate([keep, [int(np.nanargmin(y)), int(np.nanargmax(y))]]))
    x = _LEFT + (_WIDTH - _LEFT - 10) * (t[keep] - t[0]) / max(t[-1] - t[0], 1e-300)
    place = _TOP + (_HEIGHT - _TOP - _BOTTOM) * (high - y[keep]) / (high - low)
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, place))


def _legend(curves):
    """Names of the curves in their colours, as many as there is room for."""
    parts, letters = [], 0
    for (name, _), colour in zip(curves, _COLOURS):
        letters += len(name) + 2
        if parts and letters > _MOST_LETTERS:
            parts.append("<tspan>...</tspan>")
            break
        parts.append(f'<tspan fill="{colour}">{html.escape(name)}</tspan>')
    return "&#160; ".join(parts)


def _chart(title, unit, t, curves):
    values = np.concatenate([y for _, y in curves])
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if not high > low:
        low, high = low - 0.5, high + 0.5
    text = 'font-family="sans-serif" font-size="10" fill="currentColor"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{_HEIGHT}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img"><title>{html.escape(title)}</title>',
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_WIDTH - _LEFT - 10}" height="{_HEIGHT - _TOP - _BOTTOM}" fill="none" '
        'stroke="currentColor" stroke-opacity="0.3"/>',
        f'<text x="{_LEFT}" y="12" {text}>{html.escape(f"{title} ({unit})" if unit else title)}</text>',
        f'<text x="{_LEFT - 4}" y="{_TOP + 6}" text-anchor="end" {text}>{_number(high)}</text>',
        f'<text x="{_LEFT - 4}" y="{_HEIGHT - _BOTTOM}" text-anchor="end" {text}>{_number(low)}</text>',
        f'<text x="{_LEFT}" y="{_HEIGHT - 5}" {text}>{_number(t[0])}</text>',
        f'<text x="{_WIDTH - 10}" y="{_HEIGHT - 5}" text-anchor="end" {text}>{_number(t[-1])} s</text>',
    ]
    for (name, y), colour in zip(curves, _COLOURS):
        parts.append(
            f'<polyline points="{_line(t, y, low, high)}" fill="none" stroke="{colour}" stroke-width="1.4">'
            f"<title>{html.escape(name)}</title></polyline>"
        )
    parts.append(f'<text x="{_LEFT}" y="{_TOP - 6}" font-family="sans-serif" font-size="10">{_legend(curves)}</text>')
    return "".join(parts) + "</svg>"


def _charts(result):
    """The quantities that are asked for first, of driven joints where there are any; nothing that stays zero."""
    t = floats(result["time"])
    if len(t) < 2:
        return []
    driven = {joint["name"] for joint in (result.get("scene") or {}).get("joints", []) if joint["actuated"]}
    groups = {}
    for series in result["series"]:
        values = floats(series["values"])
        if np.isfinite(values).any() and np.nanmax(np.abs(values)) > 0:
            groups.setdefault((series["group"], series["unit"]), []).append((series["name"], values))
    order = sorted(groups, key=lambda key: _FIRST.index(key[0]) if key[0] in _FIRST else len(_FIRST))
    charts = []
    for group, unit in order[:_MOST_CHARTS]:
        curves = groups[group, unit]
        of_motors = [curve for curve in curves if curve[0].partition(".")[2] in driven]
        charts.append(_chart(group, unit, t, (of_motors or curves)[:_MOST_CURVES]))
    return charts


def _page_of(head, report):
    result = json.loads(report)["results"][0]
    parts = [part for part in [picture(result, head), *_charts(result)] if part]
    cells = "".join(f'<div style="margin:4px">{part}</div>' for part in parts[:1])
    charts = "".join(f"<div>{part}</div>" for part in parts[1:])
    return (
        f'<div style="display:flex;flex-wrap:wrap;align-items:flex-start">{cells}'
        f'<div style="margin:4px">{charts}</div></div>'
    )


def _plural(count, word):
    return f"{count} {word}{'' if count == 1 else 's'}"


def model_html(model):
    """The mechanism as it is assembled, as HTML with everything in it."""
    head = f"{model.name}: {_plural(len(model.links) - 1, 'link')}, {_plural(len(model.joints), 'joint')}"
    try:
        body = _page_of(model.name, model._report())
    except RuntimeError as error:  # it does not assemble
        body = f"<p>{html.escape(str(error))}</p>"
    return f"<div><b>{html.escape(head)}</b>{body}</div>"


def result_html(result):
    """The mechanism at the end of the run and what it recorded, as HTML with everything in it."""
    head = f"{result.model_name}: {_plural(len(result), 'row')}, {_plural(len(result.columns), 'column')}"
    complaints = [] if result.complete else [result.outcome]
    complaints += result.audit.distrust
    told = "".join(f'<p style="color:#c03030">{html.escape(text)}</p>' for text in complaints)
    return f"<div><b>{html.escape(head)}</b>{told}{_page_of(result.model_name, result._report())}</div>"


def _viewer():
    page = pathlib.Path(__file__).with_name("_report.html")
    if not page.exists():
        raise FileNotFoundError(
            "this build of the module has no report page (it was configured with LITHE_VIEWER=OFF); write a file with "
            "simulate(output='run.h5') and use a program that has it: lithe show run.h5"
        )
    return page.read_text(encoding="utf-8")


def _in_notebook():
    shell = sys.modules.get("IPython")
    shell = shell and shell.get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def _show(report, path):
    before, _, after = _viewer().partition(_PAGE_DATA)
    page = before + report.replace("<", "\\u003c") + after
    if path is not None:
        path = pathlib.Path(path)
        path.write_text(page, encoding="utf-8")
        return path
    if _in_notebook():
        from IPython.display import HTML, display

        display(HTML(f'<iframe srcdoc="{html.escape(page)}" width="100%" height="700" style="border:0"></iframe>'))
        return None
    with tempfile.NamedTemporaryFile("w", suffix=".html", prefix="lithe-", delete=False, encoding="utf-8") as file:
        file.write(page)
    webbrowser.open(pathlib.Path(file.name).as_uri())
    return pathlib.Path(file.name)


def show_model(self, path=None):
    """The report page of the mechanism as it is assembled: moving picture, modes; without a network.

    path: HTML file to write; default: shown in the notebook, or in the browser from a temporary file
    Returns the path of the file, None in a notebook.
    """
    return _show(self._report(), path)


def show_result(self, path=None):
    """The report page of the run, as `lithe show` makes it: animation and plots, without a network.

    path: HTML file to write; default: shown in the notebook, or in the browser from a temporary file
    Returns the path of the file, None in a notebook.
    """
    return _show(self._report(), path)
