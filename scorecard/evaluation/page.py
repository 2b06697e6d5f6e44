"""A report as HTML in one file, or as PDF."""

from __future__ import annotations

from dataclasses import replace

from markupsafe import Markup, escape

from scorecard.evaluation.pictures import with_unique_ids
from scorecard.evaluation.view import Picture, ReportView
from scorecard.printing.fonts import embedded_font_faces
from scorecard.printing.jinja import environment


def report_html(view: ReportView) -> str:
    """One file that needs nothing else."""
    return _html(view, embedded_font_faces(_html(view, "")) + _css())


def report_pdf(view: ReportView) -> bytes:
    from scorecard.printing.html_to_pdf import pdf_from_html

    return pdf_from_html(_html(view, ""), _css())


def _html(view: ReportView, style: str) -> str:
    # The pictures come from the plotting library, which escapes every text in them.
    pictures = tuple(
        replace(one, svg=_titled(with_unique_ids(one.svg, f"picture{number}"), one))
        for number, one in enumerate(view.pictures, 1)
    )
    template = environment().get_template("report/report.html.j2")
    return template.render(report=replace(view, pictures=pictures), style=Markup(style))


def _titled(svg: str, one: Picture) -> Markup:
    """The picture with its words inside: on paper nobody reads the attributes around it."""
    start = svg.index(">", svg.index("<svg")) + 1
    words = escape(f"{one.heading}. {one.alternative}")
    return Markup(f"{svg[:start]}<title>{words}</title>{svg[start:]}")


def _css() -> str:
    return environment().get_template("report/report.css.j2").render()
