"""How a card lies on its paper: what is shown where, and how wide and high.

Only the measures of the table are worked out; everything else is left to the page layout, and
`verify` looks at the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scorecard.forms.card.contents import CardView
from scorecard.forms.card.measure import (
    MM_PER_POINT,
    PLAINLY,
    box_widths,
    chips_height,
    fixed_width,
    inner_height,
    inner_width,
    number_width,
    points_width,
    row_height,
    stop_width,
    text_height,
    text_width,
    width_in_lines,
)
from scorecard.forms.card.paper import COLOURS, Page, TotalColumn, greys, mm, pt
from scorecard.forms.card.rows import KINDS
from scorecard.forms.card.sizes import BESIDE, SHARES, CardSize, Density, Detail, LayoutKind, Type
from scorecard.forms.card.view import BoxGrid, GroupView, LegendView, Shown
from scorecard.printing.refusals import NoRoomError

if TYPE_CHECKING:
    from scorecard.forms.card.path_layout import PathPage

TALLY_ROW = 7.0  # millimetres: enough for a pen
TALLEST_ROW = 1.6  # times what it needs
QR_WIDTH = 16.0  # millimetres
DETAILS: tuple[Detail, ...] = ("ranges", "counts", "figures")
HOPELESS = 0.5  # of the height, by which even the last try is too short to be worth its time
LARGEST_SENTENCES = 11.0  # points, where boxes are not larger still
SPARE = 0.1  # of the height, that has to be left over for larger sentences
AIRY_SPARE = 0.05  # of the height, that has to be left over for larger type


@dataclass(frozen=True, slots=True)
class CardPlan:
    """One way to put a card on its paper; the first that fits is taken."""

    layout: LayoutKind
    density: Density = "roomy"
    further: bool = False
    """Whether questions that only sharpen the risk are shown."""
    about_behind: bool = False
    """Whether whose figures these are is told on the back, because the front is full."""
    low: bool = False
    """Whether rows are as low as they can be, and the back has figures alone."""
    silent: frozenset[str] = frozenset()
    """Kinds of box with their sign alone, because words would make the rows too high."""
    spare_words: bool = False
    """Whether what the list calls a decision may stand below the table, and the usual word here."""
    stops_inside: bool = False
    """Whether the totals at which one stops are in the boxes, to spare a column."""


def plans(view: CardView, size: CardSize, layout: str = "staircase") -> Iterator[CardPlan]:
    """From the most to the least that a card of this size may show."""
    if layout == "path":
        yield from (CardPlan("path", density) for density in size.densities)
        yield from (CardPlan("path", density, about_behind=True) for density in size.densities[1:])
        return
    large = [density for density in size.densities if density != "airy"]
    if "tally" in size.layouts:
        yield from (CardPlan("tally", density) for density in large)
        return
    yield from _with_own_words(view, size)
    yield from _last_on_one_side(size)
    yield from (CardPlan("two-sided", density) for density in large)
    yield CardPlan("two-sided", large[-1], low=True)


def _with_own_words(view: CardView, size: CardSize) -> Iterator[CardPlan]:
    """What the list calls its decisions in every box, in smaller and smaller type."""
    for density in size.densities:
        if view.further and not size.small:
            yield CardPlan("staircase", density, further=True)
        if size.full or not view.further:  # a poster rather has large type than every question
            yield CardPlan("staircase", density)
    if not size.full and view.further:
        yield from (CardPlan("staircase", density) for density in size.densities)
    yield from (CardPlan("staircase", density, about_behind=True) for density in size.densities)


def _last_on_one_side(size: CardSize) -> Iterator[CardPlan]:
    """Less in the boxes is better than a card that one has to turn at every question.

    What to do is the last to go: first the word for going on, which has its arrow, then the column
    of stops, whose numbers move into the boxes.
    """
    least = CardPlan("staircase", "compact", about_behind=True)
    going_on = replace(least, silent=frozenset({"on"}))
    yield going_on
    if not size.small:
        yield from (replace(one, stops_inside=True) for one in (least, going_on))
    yield replace(least, spare_words=True)
    yield replace(going_on, spare_words=True, stops_inside=True)
    yield replace(least, silent=frozenset(KINDS.values()), stops_inside=True)


def page_for(view: CardView, size: CardSize, plan: CardPlan, grey: bool = False) -> Page:
    """The page of a card by a plan; refused where it is plain that it cannot fit."""
    face = size.type.at(plan.density)
    page = _bare_page(view, size, plan, face)
    page = replace(page, colours=greys(COLOURS)) if grey else page
    if page.sides == 2:
        page = _with_back(page, view, size, plan)
    if plan.layout == "staircase":
        return _with_boxes(page, view, size, face, plan)
    if plan.layout == "path":
        path = _path(view, size, face, page)
        return replace(page, path=path, names=())
    if plan.layout == "tally":
        return replace(page, tally_rows=_tally_rows(view, size, plan, face))
    return replace(page, row_height=mm(_front_row(view, size, plan, face)))


def _bare_page(view: CardView, size: CardSize, plan: CardPlan, face: Type) -> Page:
    """A page without its boxes and its back."""
    stops = _stop_width(view, size, plan, face)
    return Page(
        name=size.name,
        layout=plan.layout,
        density=plan.density,
        beside=plan.layout in BESIDE,
        limits_in_front=_limits_in_front(view, size, plan),
        counted_where=not size.small and bool(view.words["seen"]),
        tight=plan.density == "compact",
        sides=_sides(view, plan),
        full=size.full,
        pocket=size.small,
        shown=Shown(stops="at" if size.small else "limit" if plan.stops_inside else ""),
        further=plan.further,
        about_behind=plan.about_behind,
        counts_behind=True,
        ranges_behind=True,
        behind=(),
        names=view.names,
        width=mm(size.width),
        height=mm(size.height),
        margin=mm(size.margin),
        inner_width=mm(inner_width(size)),
        inner_height=mm(inner_height(size) - 0.1),
        body=pt(face.body),
        small=pt(face.small),
        label=pt(face.label),
        figure=pt(face.figure),
        title=pt(face.title),
        how=pt(_how_type(view, size, face)),
        rules=pt(max(face.small, 0.8 * face.body)),
        number_width=mm(number_width(face)),
        points_width=mm(points_width(view, face)),
        stop_width=mm(stops) if stops else "",
        row_height="0",
        columns=(),
        grid=None,
        across=3 + bool(stops),
        colours=dict(COLOURS),
        tally_row=mm(TALLY_ROW),
    )


def _stop_width(view: CardView, size: CardSize, plan: CardPlan, face: Type) -> float:
    """Stops have a column; on a small card with boxes they stand in the boxes."""
    if plan.layout != "staircase":
        return stop_width(view, face, beside=True)
    inside = size.small or plan.stops_inside
    return 0.0 if inside else stop_width(view, face, beside=False)


def _limits_in_front(view: CardView, size: CardSize, plan: CardPlan) -> bool:
    """Where there is room for them: no back for it, or no boxes in front."""
    return size.full and (plan.layout not in BESIDE or _sides(view, plan) == 1)


def _with_back(page: Page, view: CardView, size: CardSize, plan: CardPlan) -> Page:
    """The page with a back in the largest type that fits, whatever the type of the front."""
    density, detail = _behind(view, size, plan)
    counts, ranges = detail != "figures", detail == "ranges"
    told = (view.words["seen"] if counts else "", view.words["range"] if ranges else "")
    face = size.type.at(density)
    return replace(
        page,
        back=density,
        back_body=pt(face.body),
        back_label=pt(face.label),
        back_small=pt(_small_behind(size, density)),
        counts_behind=counts,
        ranges_behind=ranges,
        behind=tuple(filter(None, told)),
    )


def _sides(view: CardView, plan: CardPlan) -> int:
    """A staircase has a back for the counts and ranges that are not in its boxes."""
    if plan.layout not in BESIDE or plan.about_behind:
        return 2
    return 2 if any(group.risk and (group.behind or group.range) for group in _groups(view)) else 1


# The staircase ------------------------------------------------------------------------------------


def _with_boxes(page: Page, view: CardView, size: CardSize, face: Type, plan: CardPlan) -> Page:
    grid = view.narrow_grid if size.small else view.whole_grid if page.further else view.grid
    stops = _stop_width(view, size, plan, face)
    page, widths = _boxes_that_fit(page, view, size, face, grid, plan)
    question = inner_width(size) - fixed_width(view, face) - stops - sum(widths) - 0.6
    needed = _rows_needed(view, grid, face, question, page.shown, widths)
    room = inner_height(size) - _rest_of_staircase(view, size, page, face) - sum(needed)
    # Larger type is for cards with room to spare; a try that fails would only take time.
    least = (AIRY_SPARE if page.density == "airy" else 1 - PLAINLY) * inner_height(size)
    if room < least:
        raise NoRoomError(f"it is about {least - room:.0f} mm too short", least - room)
    page, room = _larger_sentences(page, view, size, face, room)
    return replace(
        page,
        columns=tuple(TotalColumn(*one) for one in zip(grid.columns, map(mm, widths), strict=True)),
        grid=grid,
        across=page.across + len(widths),
        row_height=mm(_even_height(needed, 0.9 * room)),
    )


def _larger_sentences(
    page: Page, view: CardView, size: CardSize, face: Type, room: float
) -> tuple[Page, float]:
    """Sentences in larger type where there is room to spare for it, and the room that is left."""
    most = _largest_sentences(face)
    least = _rest_of_staircase(view, size, page, face)
    for points in (most, (most + face.small) / 2):
        larger = replace(face, small=points)
        left = room - (_rest_of_staircase(view, size, page, larger) - least)
        if points > face.small and left >= SPARE * inner_height(size):
            return replace(page, small=pt(points), rules=pt(_rules_type(size, larger))), left
    return page, room


def _largest_sentences(face: Type) -> float:
    return max(face.small, min(face.body, max(0.8 * face.body, LARGEST_SENTENCES)))


def _boxes_that_fit(
    page: Page, view: CardView, size: CardSize, face: Type, grid: BoxGrid, plan: CardPlan
) -> tuple[Page, list[float]]:
    """What the list calls a decision may be too long for its boxes: then it stands below."""
    reason = NoRoomError("")
    for words in _words_given_up(view, plan):
        shown = replace(words, silent=plan.silent | words.silent, stops=page.shown.stops)
        try:
            widths = box_widths(view, size, face, grid, shown)
        except NoRoomError as error:
            reason = error
        else:
            return replace(page, shown=shown, names=_told_below(view, shown)), widths
    raise reason


def _words_given_up(view: CardView, plan: CardPlan) -> Iterator[Shown]:
    """The list's words on two lines, then on three; then they give way, the longest first.

    That of ◆ goes before those of a decision, because the sentence below says it, too: first to
    its sign, while the others go to the usual word, then to theirs.
    """
    yield Shown()
    if plan.density != "compact":
        return
    tall = Shown(lines=3)
    yield tall
    if not plan.spare_words:
        return
    widths = {box.kind: width_in_lines(box.word, 1, tall.lines) for box in _groups(view)}
    kinds = sorted(widths.keys() - {"undecided"}, key=lambda kind: (-widths[kind], kind))
    signs = frozenset({"undecided"})
    for count in range(len(kinds) + 1):
        yield replace(tall, silent=signs, usual=frozenset(kinds[:count]))
    for count in range(1, len(kinds) + 1):
        yield replace(tall, silent=signs | {*kinds[:count]}, usual=frozenset(kinds))


def _told_below(view: CardView, shown: Shown) -> tuple[LegendView, ...]:
    """What a box does not say: the names of its decisions, and what a sign alone means."""
    said = {(box.kind, box.usual_word) for box in _groups(view) if box.kind not in shown.silent}
    # What ◆ means is told by the sentence on who is undecided.
    named = {"out", "in"} & shown.usual | shown.silent - {"undecided"}
    return tuple(
        sign for sign in view.signs if sign.kind in named and (sign.kind, sign.text) not in said
    )


def _groups(view: CardView) -> list[GroupView]:
    return [group for row in view.rows for group in row.groups]


def _even_height(needed: list[float], room: float) -> float:
    """The height up to which the room can lift the lower rows; 0 for as they are."""
    height = 0.0
    for count, low in enumerate(sorted(needed), 1):
        lifted = sum(max(low, one) for one in needed)
        if lifted > sum(needed) + room:
            return height
        spare = (sum(needed) + room - lifted) / len(needed)
        height = low + (spare if count == len(needed) else 0.0)
    return min(height, TALLEST_ROW * max(needed))


def _rows_needed(
    view: CardView, grid: BoxGrid, face: Type, question: float, shown: Shown, widths: list[float]
) -> list[float]:
    rows = (*view.rows, *view.further)
    return [
        row_height(row, face, question, shown, cells, widths)
        for row, cells in zip(rows, grid.rows, strict=False)
    ]


def _rest_of_staircase(view: CardView, size: CardSize, page: Page, face: Type) -> float:
    """All but the rows: heading, head of the table, the line at its end, sentences."""
    width = inner_width(size)
    table = (1.4 * face.label + 1.15 * face.body) * MM_PER_POINT + 0.9
    if size.small:
        note = f"{view.undecided} {view.marked} {view.unknown}"
        note += f" {view.group_note_short}" * (page.sides == 1)
    else:
        note = f"{view.marked} {view.group_note} {view.unknown}"
        table += text_height((f"{view.undecided} {view.end}",), face.body, width) + 0.8
    rules = text_height((note,), _rules_type(size, face), width)
    below = (*_limits_of(view, size, page.limits_in_front), _names(page.names))
    below += () if size.small else (view.decided, _definitions(view))
    if not page.about_behind:
        about = _source(view) if page.sides == 1 else f"{_whose(view)} {view.edition}"
        below += (view.left_out if size.small else "", about)
    head = _head_height(view, face, width, with_purpose=not (size.small and page.about_behind))
    return head + table + rules + text_height(below, face.small, width) + 1.5


def _limits_of(view: CardView, size: CardSize, whole: bool) -> tuple[str, ...]:
    """The limits in full or in short; how the list is used."""
    use = (" ".join(view.use),) if size.full else ()
    told = (view.limits, *view.notes) if whole else (view.limits_short, *view.notes_short)
    return (*use, " ".join(told))


def _names(names: tuple[LegendView, ...]) -> str:
    return " · ".join(f"{name.symbol} {name.text}" for name in names)


def _how_type(view: CardView, size: CardSize, face: Type) -> float:
    """The instruction as large as fits on one line, between the type of sentences and of labels."""
    fits = face.body * inner_width(size) / (1.02 * text_width(view.how, face.body, bold=True))
    return max(face.body, min(face.label, fits))


def _head_height(view: CardView, face: Type, width: float, with_purpose: bool = True) -> float:
    purpose = f"{view.outcome} · {view.audience}" if with_purpose else ""
    head = text_height((view.title,), face.title * 0.9, width * 0.72)
    how = text_height((view.how,), face.body * 1.04, width)
    return (
        head + how + text_height((view.subtitle, purpose, *view.warnings), face.body, width) + 1.0
    )


def _whose(view: CardView) -> str:
    """Whose figures these are, and how far to trust them."""
    return f"{view.figures_short} · {view.validation} {view.judgement} {view.remark}"


def _source(view: CardView) -> str:
    return f"{_whose(view)} · {view.source} · {view.identity}"


def _definitions(view: CardView) -> str:
    return " ".join(f"{term} {meaning}" for term, meaning in view.definitions)


def _path(view: CardView, size: CardSize, face: Type, page: Page) -> PathPage:
    from scorecard.forms.card.path_layout import path_page  # few cards are paths

    room = inner_height(size) - _rest_of_path(view, size, face, page)
    return path_page(view, face, (inner_width(size), room), size.full, page.tight)


def _rest_of_path(view: CardView, size: CardSize, face: Type, page: Page) -> float:
    width = inner_width(size)
    rules = f"{view.undecided} {view.left_out} {view.marked} {view.unknown}"
    rules += "" if page.about_behind else f" {view.group_note}"
    below = (*_limits_of(view, size, page.limits_in_front), view.decided)
    below += () if page.about_behind else (_definitions(view),)
    below += (view.path.width_note,) * size.full
    if not page.about_behind:
        below += (_source(view) if page.sides == 1 else f"{_whose(view)} {view.edition}",)
    note = text_height((rules,), _rules_type(size, face), width)
    lines = note + text_height(below, face.small, width)
    return _head_height(view, face, width) + lines * (0.93 if page.tight else 1.0) + 2.4


def _rules_type(size: CardSize, face: Type) -> float:
    return max(face.small, 0.8 * face.body) if size.full else face.small


# Questions in front, boxes behind -----------------------------------------------------------------


def _front_row(view: CardView, size: CardSize, plan: CardPlan, face: Type) -> float:
    """How high a row of questions may be without pushing anything off the page; 0 for as it is."""
    width = inner_width(size)
    question = width - fixed_width(view, face) - stop_width(view, face, beside=True) - 0.6
    needed = [row_height(row, face, question, Shown()) for row in view.rows]
    room = inner_height(size) - _rest_of_front(view, size, face)
    missing = sum(needed) - room
    least = HOPELESS if plan.density == "compact" else PLAINLY - 1
    if missing > least * inner_height(size):
        raise NoRoomError(f"its front is about {missing:.0f} mm too short", missing)
    if plan.low:
        return 0.0
    height = min(0.9 * room / len(needed), 1.5 * max(needed))
    return height if height > max(needed) else 0.0


def _rest_of_front(view: CardView, size: CardSize, face: Type) -> float:
    width = inner_width(size)
    below = (
        f"{view.undecided} {view.left_out} {view.unknown}",
        _names(view.names),
        *_limits_of(view, size, size.full),
    )
    head = _head_height(view, face, width) + 1.5 * face.label * MM_PER_POINT
    return head + text_height(below, face.body, width) + 3.0


def _behind(view: CardView, size: CardSize, plan: CardPlan) -> tuple[Density, Detail]:
    """The largest type of a back, and the most behind each figure; the most goes before type."""
    least = NoRoomError("")
    for detail in DETAILS[2:] if plan.low else DETAILS:
        for density in size.densities:
            missing = _missing_behind(view, size, replace(plan, density=density), detail)
            if missing <= 0:
                return density, detail
            least = NoRoomError(f"its back is about {missing:.0f} mm too short", missing)
    if least.missing > (HOPELESS if plan.low else PLAINLY - 1) * inner_height(size):
        raise least
    return density, detail


def _missing_behind(view: CardView, size: CardSize, plan: CardPlan, detail: Detail) -> float:
    """By how many millimetres a back is too short."""
    width, face = inner_width(size), size.type.at(plan.density)
    told_behind = _told_behind(view, size, plan)
    if view.qr:
        width -= QR_WIDTH
    rest = text_height(told_behind, _small_behind(size, plan.density), width)
    apart = size.small and plan.layout not in BESIDE
    behind = plan.layout == "path" and plan.about_behind
    note = view.group_note_short if size.small else view.group_note * behind
    told = (view.words["seen"], view.words["range"])[: 2 - DETAILS.index(detail)]
    heading = f"{view.words['chip']} {'; '.join(told)} {note}"
    rest += text_height((heading,), face.body, width)
    rest += (1.4 * face.body + (0 if apart else face.label)) * MM_PER_POINT
    # Boxes in a row break earlier than they are counted here.
    rest += 1.5 if plan.layout in BESIDE else 3.0
    needed = chips_height(view, size, plan.density, plan.further, detail)
    return rest + needed - inner_height(size)


def _told_behind(view: CardView, size: CardSize, plan: CardPlan) -> Iterator[str]:
    """The sentences below the boxes of a back."""
    beside = plan.layout in BESIDE
    if not beside:
        yield from (view.marked, _names(view.signs))
    if not beside and not size.small:
        yield from (view.group_note, _definitions(view))
    if not size.small:
        yield view.performance
        yield "" if _limits_in_front(view, size, plan) else " ".join((view.limits, *view.notes))
    yield view.shown_short if size.small else f"{view.figures} {view.shown}"
    if plan.layout == "path" and plan.about_behind:
        yield _definitions(view)
    if beside and plan.about_behind:
        yield from (view.left_out, f"{view.outcome} {view.audience}" * size.small)
    yield _source(view) if plan.about_behind or not beside else f"{view.source} · {view.identity}"


def _small_behind(size: CardSize, density: Density) -> float:
    """The type of sentences on a back: as large as in its boxes where there is room for it."""
    face = size.type.at(density)
    if density not in ("airy", "roomy"):
        return face.small
    return _largest_sentences(face)


def _tally_rows(view: CardView, size: CardSize, plan: CardPlan, face: Type) -> tuple[str, ...]:
    """As many rows for cases as there is room for below the questions; fewer on each new try."""
    width = inner_width(size)
    question = width - fixed_width(view, face) - stop_width(view, face, beside=True) - 0.6
    needed = sum(row_height(row, face, question, Shown()) for row in view.rows)
    room = inner_height(size) - _rest_of_front(view, size, face) - needed - 12
    rows = int(room / TALLY_ROW) - 2 - round(6 * (1 - SHARES[plan.density]))
    if rows < 5:
        raise NoRoomError("less than five rows are left for cases")
    return tuple(str(number) for number in range(1, rows + 1))
