"""The fixed words of everything that is printed, one table per language.

A table has the same keys in every language and the same `{names}` in every sentence; the functions
that fill them in are in `wording`. To add a language, add a table to `LANGUAGES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Language:
    """How a language writes numbers, and its words."""

    code: str
    name: str
    decimal_mark: str
    words: Mapping[str, str]


ENGLISH = Language(
    "en",
    "English",
    ".",
    {
        # Decisions, and what they are called where a column is narrow
        "rule out": "rule out",
        "rule in": "rule in",
        "undecided": "undecided",
        "go on": "go on",
        "unknown": "cannot be decided",
        # Answers and conditions
        "yes": "yes",
        "no": "no",
        "value": "the value",
        "not known": "unknown",
        "ask refused": "{reply} is not understood; say {expected}.",
        "ask number": "{reply} cannot be read as a number; write one like {example}.",
        "ask nothing": "Nothing was said; say unknown if it is not known, back or quit.",
        "ask first": "This is the first question.",
        "is": "is {categories}",
        "is not": "is not {categories}",
        "or": "or",
        "and": "and",
        "missing": "not measured",
        "present": "measured",
        # Headings
        "list": "Scoring list",
        "question": "Question",
        "points": "Points",
        "total": "Total",
        "risk": "Risk",
        "answers": "Answers",
        "stop": "Stop",
        "stops": "Where to stop",
        "start": "Before the first question",
        "after": "After question {number}",
        "notes": "Notes",
        "outcome": "Outcome",
        "population": "For",
        "horizon": "Time frame",
        "source": "Source",
        "version": "Version",
        "date": "Date",
        "licence": "Licence",
        # Figures
        "of": "{number} of {per}",
        "of cases": "{positives} of {cases}",
        "to": "{low} to {high}",
        "counts": "{positives} of {cases} cases",
        "range": "range {range}",
        "few": "fewer than {number} cases",
        "few folded": "fewer than {number} cases at a total",
        "unseen reached": "{counts}: nobody seen, risk of neighbouring totals",
        "unseen all": "{counts}: nobody seen, risk from other cases",
        "legend": "Per total: the risk of {per}, and positive/all cases behind it.",
        "legend without counts": "Per total: the risk of {per}.",
        "held-out": "held-out",
        "training": "training",
        "published": "published",
        "held-out figures": "Held-out figures: from cases that did not choose the questions.",
        "training figures": (
            "Training figures: from the same cases that chose the questions, so they look better"
            " than they are."
        ),
        "published figures": "Published figures: taken from the source, not computed here.",
        "cases behind": "{cases} cases, {positives} with the outcome.",
        # Limits
        "limits": "Rule out at a risk of at most {out}, rule in at one of at least {into} of {per}",
        "limits by cost": (
            "Rule out where the risk is at most {limit} of {per}, rule in where it is above: a miss"
            " counts {cost} times a false alarm"
        ),
        "by group": (
            "shown by the total's own estimate and, with {confidence} confidence, by all who stop"
            " there together"
        ),
        "by point": "judged by the estimate alone",
        "by bounds": "shown by the end of the total's {level} range",
        "by certified": "shown by exact tests from the outermost total inwards, {confidence} sure",
        "min cases": "at least {number} cases behind a stop",
        "reached": "Each risk is that of the cases who get to the box.",
        "all": "Each risk is that of all cases with this total, also of those who stop earlier.",
        "curtailed": "{mark} no later answer can change the decision",
        "undecided cost": (
            "Undecided: a miss counts {cost} times a false alarm, so act from a risk of {limit} of"
            " {per}."
        ),
        # What every card has to say
        "unknown rule": "Answer unknown? Score it both ways; stop only if both agree.",
        "judgement": "Supports, does not replace, clinical judgement.",
        "not validated": "Not externally validated.",
        "validated": "Validated: {validation}",
        # Notes
        "estimate-is-all": (
            "The list has no answer patterns, so risks are those of all cases with a total, also of"
            " those who stop earlier."
        ),
        "rule-is-point": (
            "The list has no counts, so the rule “{asked}” cannot be had: stops are judged by the"
            " estimate alone."
        ),
        "no-range": (
            "{after}: no ranges, because the data contradict a risk that rises with the total."
        ),
        "contradiction": (
            "{after}: the data support ruling out and ruling in at the same total, so nobody stops."
        ),
        "estimates-differ": (
            "{after}, total {total}: {reached} among those who get there ({decision_reached}),"
            " {all} among all with this total ({decision_all}); used: {used}."
        ),
        "used reached": "those who get there",
        "used all": "all with this total",
        "no figure": "no figure",
        "ends-early": (
            "The list ends after {questions} of {count} questions; no longer asked: {dropped}."
        ),
        "nobody rule out": "Nobody can stop with “{decision}” at a risk of at most {limit}",
        "nobody rule in": "Nobody can stop with “{decision}” at a risk of at least {limit}",
        "nobody group rule out": "it takes a group of {group} cases or more, none with the outcome",
        "nobody group rule in": "it takes a group of {group} cases or more, all with the outcome",
        "nobody cases": "about {cases} cases behind the figures, if more look like these",
        # Cards
        "card how": "Start at 0. Add the points for every yes. Stop at the first filled box.",
        "card how short": "Start at 0. Add points for every yes.",
        "card how all": "Start at 0. Add the points for every yes. Ask all questions.",
        "card how all short": "Start at 0, ask all. Add points for every yes.",
        "card yes if": "Yes, if",
        "card before": "before any question",
        "card next": "ask the next question",
        "card stop": "stop: {decision}",
        "card stop heading": "stop",
        "card undecided heading": "end",
        "card not stated": "not stated",
        "card undated": "undated",
        "card no version": "no version",
        "card of": "of {per}",
        "card every": "Every figure: of {per}",
        "card risks": "Risk after each question",
        "card risk of": "Risk of: {outcome}",
        "card within": "within {horizon}",
        "card for": "For: {population}",
        "card box reached": "In a box: of {per} who get there, how many have the outcome",
        "card box all": "In a box: of {per} with this total, how many have the outcome",
        "card box counts": "positive/all cases",
        "card short counts": "positive/all",
        "card box range": "{level} range",
        "card box joint range": "{level} range for the whole row",
        "card chip reached": "Total: how many of {per} who get there have it",
        "card short chip reached": "Total: of {per} who get there",
        "card short chip all": "Total: of {per} with it",
        "card chip all": "Total: how many of {per} with it have the outcome",
        "card undecided": "◆ Undecided after question {number}: {action}.",
        "card undecided counted": "◆ Undecided after question {number} ({counts}): {action}.",
        "card no advice": "the list does not decide, go by the risk shown",
        "card all decided": "After question {number} every total has a decision.",
        "card short limits": "▼ at most {out}, ▲ at least {into} of {per}",
        "card short cost": "▼ at most {limit}, ▲ above {limit} of {per} (a miss counts {cost}×)",
        "card short group": "{confidence} confidence for all who stop",
        "card short point": "by the estimate alone",
        "card short bounds": "by the ends of {level} ranges",
        "card short certified": "exact tests, {confidence}",
        "card cases": "{cases} cases, {positives} positive",
        "card origin held-out": "held-out figures",
        "card origin training": "training figures",
        "card origin published": "published figures",
        "card short nobody rule out": "Nobody can stop with ▼",
        "card short nobody rule in": "Nobody can stop with ▲",
        "card short nobody group": "{what}: that takes {group} cases or more in one group.",
        "card short nobody cases": "{what}: that takes about {cases} cases like these in all.",
        "card performance": (
            "Of {cases} cases, {out} stop with “{out_word}” ({missed} of them with the outcome),"
            " {into} with “{in_word}” ({found} with the outcome), {rest};"
            " {mean} questions on average."
        ),
        "card ends undecided": "{cases} end undecided",
        "card ends unknown": "{cases} cannot be decided (answers unknown)",
        "card estimates differ": (
            "In {number} boxes the risk of all cases with that total would decide otherwise."
        ),
        "card estimate differs": (
            "In one box the risk of all cases with that total would decide otherwise."
        ),
        "card ruler": "This line is 50 mm long if the sheet is printed at full size.",
        "card qr": "QR code: {url}",
        "card logo": "Logo",
        "card tally": "Tally sheet",
        "card case": "Case",
        "card decision": "Decision",
        "card running total": "Total",
    },
)

GERMAN = Language(
    "de",
    "Deutsch",
    ",",
    {
        "rule out": "Ausschluss",
        "rule in": "Nachweis",
        "undecided": "unentschieden",
        "go on": "weiter",
        "unknown": "nicht entscheidbar",
        "yes": "ja",
        "no": "nein",
        "value": "der Wert",
        "not known": "unbekannt",
        "ask refused": "{reply} wird nicht verstanden; möglich ist {expected}.",
        "ask number": "{reply} ist als Zahl nicht zu lesen; bitte so schreiben: {example}.",
        "ask nothing": "Keine Antwort; möglich sind auch unbekannt, zurück und ende.",
        "ask first": "Das ist die erste Frage.",
        "is": "ist {categories}",
        "is not": "ist nicht {categories}",
        "or": "oder",
        "and": "und",
        "missing": "nicht gemessen",
        "present": "gemessen",
        "list": "Punkteliste",
        "question": "Frage",
        "points": "Punkte",
        "total": "Summe",
        "risk": "Risiko",
        "answers": "Antworten",
        "stop": "Halt",
        "stops": "Wo man aufhört",
        "start": "Vor der ersten Frage",
        "after": "Nach Frage {number}",
        "notes": "Hinweise",
        "outcome": "Zielereignis",
        "population": "Für",
        "horizon": "Zeitraum",
        "source": "Quelle",
        "version": "Version",
        "date": "Datum",
        "licence": "Lizenz",
        "of": "{number} von {per}",
        "of cases": "{positives} von {cases}",
        "to": "{low} bis {high}",
        "counts": "{positives} von {cases} Fällen",
        "range": "Bereich {range}",
        "few": "weniger als {number} Fälle",
        "few folded": "weniger als {number} Fälle bei einer Summe",
        "unseen reached": "{counts}: niemand, Risiko der Nachbarsummen",
        "unseen all": "{counts}: niemand, Risiko nach anderen Fällen",
        "legend": "Je Summe: das Risiko von {per} und positive/alle Fälle dahinter.",
        "legend without counts": "Je Summe: das Risiko von {per}.",
        "held-out": "zurückgehalten",
        "training": "Training",
        "published": "veröffentlicht",
        "held-out figures": (
            "Zurückgehaltene Fälle: Die Zahlen stammen nicht von den Fällen, nach denen die Fragen"
            " gewählt wurden."
        ),
        "training figures": (
            "Trainingszahlen: von denselben Fällen, nach denen die Fragen gewählt wurden; sie sehen"
            " besser aus, als sie sind."
        ),
        "published figures": (
            "Veröffentlichte Zahlen: aus der Quelle übernommen, nicht hier berechnet."
        ),
        "cases behind": "{cases} Fälle, davon {positives} mit dem Zielereignis.",
        "limits": "Ausschluss bei einem Risiko bis {out}, Nachweis ab {into} von {per}",
        "limits by cost": (
            "Ausschluss bei einem Risiko bis {limit} von {per}, Nachweis darüber: Ein übersehener"
            " Fall zählt {cost}-mal so viel wie ein Fehlalarm"
        ),
        "by group": (
            "belegt durch die Schätzung der Summe selbst und, mit {confidence} Sicherheit, durch"
            " alle zusammen, die dort aufhören"
        ),
        "by point": "beurteilt nur nach der Schätzung",
        "by bounds": "belegt durch das Ende des {level}-Bereichs der Summe",
        "by certified": (
            "belegt durch exakte Tests von der äußersten Summe nach innen, {confidence} sicher"
        ),
        "min cases": "mindestens {number} Fälle hinter einem Halt",
        "reached": "Jedes Risiko ist das der Fälle, die bis zu diesem Feld kommen.",
        "all": (
            "Jedes Risiko ist das aller Fälle mit dieser Summe, auch derer, die früher aufhören."
        ),
        "curtailed": "{mark} keine spätere Antwort kann die Entscheidung noch ändern",
        "undecided cost": (
            "Unentschieden: Ein übersehener Fall zählt {cost}-mal so viel wie ein Fehlalarm, also"
            " handeln ab einem Risiko von {limit} von {per}."
        ),
        "unknown rule": (
            "Antwort unbekannt? Mit beiden rechnen; nur aufhören, wenn beide übereinstimmen."
        ),
        "judgement": "Unterstützt das ärztliche Urteil, ersetzt es nicht.",
        "not validated": "Nicht extern validiert.",
        "validated": "Validiert: {validation}",
        "estimate-is-all": (
            "Die Liste enthält keine Antwortmuster, daher gelten die Risiken für alle Fälle mit"
            " einer Summe, auch für die, die früher aufhören."
        ),
        "rule-is-point": (
            "Die Liste enthält keine Fallzahlen, daher ist die Regel „{asked}“ nicht möglich:"
            " aufgehört wird nur nach der Schätzung."
        ),
        "no-range": (
            "{after}: keine Bereiche, denn die Daten widersprechen einem mit der Summe steigenden"
            " Risiko."
        ),
        "contradiction": (
            "{after}: Die Daten stützen Ausschluss und Nachweis bei derselben Summe, daher hört"
            " niemand auf."
        ),
        "estimates-differ": (
            "{after}, Summe {total}: {reached} bei denen, die dorthin kommen ({decision_reached}),"
            " {all} bei allen mit dieser Summe ({decision_all}); verwendet: {used}."
        ),
        "used reached": "die dorthin kommen",
        "used all": "alle mit dieser Summe",
        "no figure": "keine Zahl",
        "ends-early": (
            "Die Liste endet nach {questions} von {count} Fragen; nicht mehr gefragt: {dropped}."
        ),
        "nobody rule out": "Niemand kann mit „{decision}“ bei einem Risiko bis {limit} aufhören",
        "nobody rule in": "Niemand kann mit „{decision}“ bei einem Risiko ab {limit} aufhören",
        "nobody group rule out": (
            "nötig ist eine Gruppe von mindestens {group} Fällen, keiner mit dem Zielereignis"
        ),
        "nobody group rule in": (
            "nötig ist eine Gruppe von mindestens {group} Fällen, alle mit dem Zielereignis"
        ),
        "nobody cases": "etwa {cases} Fälle hinter den Zahlen, wenn weitere so aussehen",
        # Karten
        "card how": "Bei 0 beginnen. Punkte für jedes Ja zählen. Beim ersten vollen Feld aufhören.",
        "card how short": "Bei 0 beginnen. Punkte für jedes Ja.",
        "card how all": "Bei 0 beginnen. Punkte für jedes Ja zählen. Alle Fragen stellen.",
        "card how all short": "Bei 0 beginnen, alles fragen. Punkte für jedes Ja.",
        "card yes if": "Ja, wenn",
        "card before": "vor jeder Frage",
        "card next": "nächste Frage stellen",
        "card stop": "Halt: {decision}",
        "card stop heading": "Halt",
        "card undecided heading": "Ende",
        "card not stated": "nicht angegeben",
        "card undated": "ohne Datum",
        "card no version": "ohne Version",
        "card of": "von {per}",
        "card every": "Jede Zahl: von {per}",
        "card risks": "Risiko nach jeder Frage",
        "card risk of": "Risiko für: {outcome}",
        "card within": "innerhalb von {horizon}",
        "card for": "Für: {population}",
        "card box reached": "Im Feld: wie viele von {per}, die dorthin kommen, es haben",
        "card box all": "Im Feld: wie viele von {per} mit dieser Summe es haben",
        "card box counts": "positive/alle Fälle",
        "card short counts": "positive/alle",
        "card box range": "{level}-Bereich",
        "card box joint range": "{level}-Bereich für die ganze Zeile",
        "card chip reached": "Summe: wie viele von {per}, die dorthin kommen, es haben",
        "card short chip reached": "Summe: von {per}, die dorthin kommen",
        "card short chip all": "Summe: von {per} damit",
        "card chip all": "Summe: wie viele von {per} mit ihr es haben",
        "card undecided": "◆ Unentschieden nach Frage {number}: {action}.",
        "card undecided counted": "◆ Unentschieden nach Frage {number} ({counts}): {action}.",
        "card no advice": "Die Liste entscheidet nicht, das gezeigte Risiko gilt",
        "card all decided": "Nach Frage {number} hat jede Summe eine Entscheidung.",
        "card short limits": "▼ bis {out}, ▲ ab {into} von {per}",
        "card short cost": "▼ bis {limit}, ▲ über {limit} von {per} (übersehen zählt {cost}×)",
        "card short group": "{confidence} Sicherheit für alle, die aufhören",
        "card short point": "nur nach der Schätzung",
        "card short bounds": "nach den Enden der {level}-Bereiche",
        "card short certified": "exakte Tests, {confidence}",
        "card cases": "{cases} Fälle, {positives} positiv",
        "card origin held-out": "zurückgehaltene Fälle",
        "card origin training": "Trainingszahlen",
        "card origin published": "veröffentlichte Zahlen",
        "card short nobody rule out": "Mit ▼ kann niemand aufhören",
        "card short nobody rule in": "Mit ▲ kann niemand aufhören",
        "card short nobody group": "{what}: Nötig sind {group} Fälle oder mehr in einer Gruppe.",
        "card short nobody cases": "{what}: Nötig sind insgesamt etwa {cases} solche Fälle.",
        "card performance": (
            "Von {cases} Fällen enden {out} mit „{out_word}“ (davon {missed} mit dem Zielereignis),"
            " {into} mit „{in_word}“ ({found} mit dem Zielereignis), {rest};"
            " im Mittel {mean} Fragen."
        ),
        "card ends undecided": "{cases} unentschieden",
        "card ends unknown": "{cases} nicht entscheidbar (Antworten unbekannt)",
        "card estimates differ": (
            "In {number} Feldern würde das Risiko aller Fälle mit dieser Summe anders entscheiden."
        ),
        "card estimate differs": (
            "In einem Feld würde das Risiko aller Fälle mit dieser Summe anders entscheiden."
        ),
        "card ruler": "Diese Linie ist 50 mm lang, wenn das Blatt in voller Größe gedruckt ist.",
        "card qr": "QR-Code: {url}",
        "card logo": "Logo",
        "card tally": "Strichliste",
        "card case": "Fall",
        "card decision": "Entscheidung",
        "card running total": "Summe",
    },
)

LANGUAGES: dict[str, Language] = {language.code: language for language in (ENGLISH, GERMAN)}
