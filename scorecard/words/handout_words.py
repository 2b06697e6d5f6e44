"""The fixed words of the handout, one table per language.

As in `languages`: the same keys in every language, the same `{names}` in every sentence. Sentences
of the calculator keep their names; the page itself fills them in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scorecard.core.model import ScoringList
from scorecard.words.wording import Wording

ENGLISH = {
    # Headings
    "handout contents": "Contents",
    "handout skip": "Skip to the calculator",
    "handout purpose": "What it is for",
    "handout calculator": "Calculator",
    "handout how": "How to use it by hand",
    "handout example": "A worked example",
    "handout staircase": "The staircase",
    "handout risks": "The risk, as people",
    "handout stopping": "When to stop asking",
    "handout merit": "How good it is",
    "handout undecided": "When it stays undecided",
    "handout unknown": "When an answer is unknown",
    "handout limits": "Limits",
    "handout about": "Where it comes from",
    # Purpose
    "handout intro": (
        "A list of {count} yes/no questions, asked in order. After every answer the points add up"
        " to a total, the total tells the risk, and one stops as soon as it is clear enough."
    ),
    "handout intro one": ("A single yes/no question. The points of the answer tell the risk."),
    "handout outcome": "It tells the risk of",
    "handout horizon": "Time frame",
    "handout for": "For",
    "handout not for": "Not for",
    "handout outside": "anybody outside this group; the figures say nothing about them",
    "handout population unknown": "not stated: find out before you use it",
    "handout before": "Before any question",
    # By hand
    "handout how start": "Start with a total of 0 and ask the questions in their order.",
    "handout how add": "Yes: add the points. No: add nothing.",
    "handout how look": (
        "After each answer look at the box of your total: a filled box (▼ or ▲) means stop, any"
        " other box means ask the next question."
    ),
    "handout how look all": "Ask all questions, then read the risk in the box of your total.",
    "handout example data": (
        "The most frequent way to a decision among the cases behind the list: {cases} cases answer"
        " like this, {positives} of them with the outcome."
    ),
    "handout example data open": (
        "The most frequent way through the list among the cases behind it: {cases} cases answer"
        " like this, {positives} of them with the outcome."
    ),
    "handout example made up": "Made up, because the list comes without answers of cases.",
    "handout example step": "{points}, total {total}",
    "handout example risk": "Risk {risk}: {what}.",
    "handout example stop": "{what}.",
    "handout example on": "Ask the next question.",
    "handout next": "ask the next question",
    # The staircase
    "handout grid caption": "Questions in order, and the totals one can have after each",
    "handout stage": "Stage",
    "handout ranges": (
        "The ranges of a row hold together: with {level} confidence all of them cover the true"
        " risk. So they are wider than a range for one figure alone, such as the intervals"
        " elsewhere on this page."
    ),
    # Icon arrays
    "handout icons": (
        "Each square is one of {per} people alike; dark squares have the outcome. A half-filled"
        " square stands for less than one of them."
    ),
    "handout icons stop": "{decision}: those who stop with it",
    "handout icons open": "those who end undecided",
    "handout icons unknown": "those who cannot be decided (answers unknown)",
    "handout icons total": "Total {total} after all questions",
    "handout icons cases": "{positives} of {cases} cases",
    # Stopping
    "handout stop out": "at a total of {total} or less stop: {decision}",
    "handout stop in": "at a total of {total} or more stop: {decision}",
    "handout stop open": "from {low} to {high} it stays undecided, stop asking",
    "handout stop last open": "from {low} to {high} it stays undecided",
    "handout stop single open": "at {low} it stays undecided",
    "handout stop go on": "otherwise ask question {number}",
    "handout stop nobody": "nobody stops here, ask question {number}",
    "handout shares": "Of all cases, those who have stopped after each question",
    "handout share stage": "After question",
    "handout share going on": "still asked",
    "handout share unknown": "cannot be decided (answers unknown)",
    "handout mean": "On average {mean} of {count} questions are asked.",
    "handout mean cost": "On average the questions cost {cost}.",
    "handout no shares": (
        "How many stop where is not known: the list comes without the answer patterns of its cases."
    ),
    # Figures of merit
    "handout measure": "Figure",
    "handout value": "Value",
    "handout interval": "95 % interval",
    "handout cases": "Cases",
    "handout from": "From",
    "handout no merit": (
        "The list comes without the answer patterns of its cases, so how good it is under these"
        " limits cannot be worked out here. The source may tell."
    ),
    "handout nobody": "nobody",
    "handout ppv": "Rule-in rate (PPV)",
    "handout ppv meaning": "of {per} who stop with “{decision}”, so many have the outcome",
    "handout miss": "Miss rate",
    "handout miss meaning": "of {per} who stop with “{decision}”, so many have the outcome",
    "handout sensitivity strict": "Sensitivity, strict",
    "handout sensitivity strict meaning": (
        "of {per} with the outcome, so many are ruled in; no decision counts as missed"
    ),
    "handout sensitivity lenient": "Sensitivity, lenient",
    "handout sensitivity lenient meaning": (
        "of {per} with the outcome, so many are not ruled out; no decision counts as found"
    ),
    "handout specificity strict": "Specificity, strict",
    "handout specificity strict meaning": (
        "of {per} without the outcome, so many are ruled out; no decision counts as false alarm"
    ),
    "handout specificity lenient": "Specificity, lenient",
    "handout specificity lenient meaning": (
        "of {per} without the outcome, so many are not ruled in; no decision counts as right"
    ),
    "handout brier": "Brier score",
    "handout brier meaning": (
        "mean squared error of the risk told at the end; 0 is perfect, telling everybody the base"
        " rate gives {base}"
    ),
    "handout auc": "AUC",
    "handout auc meaning": (
        "how often someone with the outcome has the higher total after {count} questions than"
        " someone without; 0.5 is chance, 1 is perfect"
    ),
    "handout merit held-out": (
        "Held-out: these cases did not choose the questions. The risks were estimated from them, so"
        " Brier score and calibration look a little better than they will be for new cases."
    ),
    "handout merit training": (
        "Training: the same cases chose the questions and gave the risks, so all of these figures"
        " look better than they will be for new cases."
    ),
    "handout merit published": "As the source gives them; not computed from new cases.",
    "handout methods": (
        "Intervals, each for its figure alone: Clopper–Pearson for rates, DeLong on the logit scale"
        " for the AUC, normal for the Brier score."
    ),
    "handout left out": (
        "{cases} cases whose unknown answers leave more than one risk are not in the Brier score."
    ),
    "handout without total": (
        "{cases} cases with an unknown answer have no total and are not in the AUC."
    ),
    # Pictures
    "handout axis question": "question (0: before the first)",
    "handout axis told": "risk told",
    "handout axis share": "of {per} cases",
    "handout axis threshold": "act from this risk on",
    "handout curve list": "act by the list",
    "handout curve everybody": "act on everybody",
    "handout curve nobody": "act on nobody",
    "handout stages heading": "Risk after each question",
    "handout stages caption": (
        "One symbol per total, lowest total on the left: ▼ stop, {out}; ▲ stop, {into};"
        " ◆ undecided; circle ask on. Lines are the {level} ranges for all totals of a question"
        " together, dashed lines the limits."
    ),
    "handout stages caption single": (
        "One symbol per total, lowest total on the left: ▼ stop, {out}; ▲ stop, {into};"
        " ◆ undecided; circle ask on. Lines are the {level} ranges, dashed lines the limits."
    ),
    "handout stages caption plain": (
        "One symbol per total, lowest total on the left: ▼ stop, {out}; ▲ stop, {into};"
        " ◆ undecided; circle ask on. Dashed lines are the limits."
    ),
    "handout stages alternative": ("The risks of the staircase as a picture, of {per}. {stages}"),
    "handout stages one": "{after}: {risks}.",
    "handout calibration heading": "Calibration",
    "handout calibration caption": (
        "Risk told against rate observed (with a 95 % interval for it alone), of {per}, for"
        " every total at which one ends. On the dashed line both are equal."
    ),
    "handout calibration near": (
        "The risks were estimated from these very cases, so the symbols lie near the line by"
        " construction; only new cases can show more."
    ),
    "handout calibration alternative": "Risk told and rate observed: {points}.",
    "handout calibration point": "told {told}, observed {seen}",
    "handout shares heading": "Who has stopped after each question",
    "handout shares caption": (
        "Dark on the left: {out}. Light on the right: {into}. In between: still asked, in the last"
        " row without a decision."
    ),
    "handout shares alternative": "Of {per} cases. {rows}",
    "handout shares one": "{after}: {out} ruled out, {into} ruled in.",
    "handout benefit heading": "Decision curve",
    "handout benefit caption": (
        "Net benefit, per {per} cases: true positives minus false alarms, weighted by the risk from"
        " which one would act. Higher is better; what is below zero is drawn at zero. Dashed"
        " uprights are the limits."
    ),
    "handout benefit alternative": (
        "Net benefit by threshold. At the limit {limit}: by the list {listed}, on everybody"
        " {everybody}, on nobody 0, per {per} cases."
    ),
    # Undecided, unknown
    "handout undecided none": "With these limits nobody ends undecided.",
    "handout unknown text": (
        "An unknown answer never counts as no. Go on with both totals, one as if the answer were"
        " yes and one as if it were no. Stop only if both say stop with the same decision; if the"
        " questions are over and they differ, the list cannot decide until the answer is known."
    ),
    # Limits
    "handout limit averages": (
        "A risk is that of a group with the same total, not of one person; whatever the questions"
        " do not ask is not in it."
    ),
    "handout limit place": (
        "In another place or time the risks may be different even where the questions are as good."
    ),
    "handout few": "Boxes marked * stand on fewer than {number} cases.",
    "handout no device": (
        "This page stores nothing and sends nothing; it works without a network."
    ),
    # Provenance
    "handout source": "Source",
    "handout validation": "Validation",
    "handout licence": "Licence",
    "handout version": "Version",
    "handout date": "Date",
    "handout cite": "How to cite",
    "handout citation": "{title}. Scoring list, {identity}. {source}",
    "handout fingerprint": "Fingerprint of the list (SHA-256)",
    "handout made by": "Made with",
    "handout notes": "Notes",
    "handout made from": "How it was made",
    # Calculator
    "calc intro": "Nothing you enter is stored or sent.",
    "calc not started": (
        "The calculator has not started: scripts are switched off, or this file was changed. Use"
        " the staircase by hand."
    ),
    "calc broken": (
        "Do not use this calculator: its self-test found a result that differs from the list. Use"
        " the staircase by hand and get a fresh copy of this file."
    ),
    "calc question": "Question {number} of {count}",
    "calc yes": "Yes",
    "calc no": "No",
    "calc unknown": "Unknown",
    "calc back": "Back",
    "calc restart": "Start again",
    "calc copy": "Copy result",
    "calc copied": "Copied.",
    "calc copy by hand": "Select the text below and copy it.",
    "calc note": "Result as text",
    "calc use": "Use this value",
    "calc value": "Value",
    "calc value in": "Value in {unit}",
    "calc counts as yes": "Yes means: {condition}",
    "calc or": "or answer",
    "calc total": "Total",
    "calc risk": "Risk",
    "calc range": "{level} range",
    "calc counts": "Observed",
    "calc no risk": "no figure at this point",
    "calc answers": "Answers",
    "calc stop": "Stop",
    "calc open end": "End of the questions",
    "calc asked": "after {number} of {count} questions",
    "calc certain": "No later answer can change this.",
    "calc certain unknown": "The unknown answers cannot change this.",
    "calc depends": "It depends on what is not known: {questions}",
    "calc change": "What can still change",
    "calc can end": "It can still end with: {decisions}",
    "calc more": "Questions left: {low} to {high}",
    "calc more exactly": "Questions left: {low}",
    "calc risk span": "Risk at the end: {low} to {high} of {per}",
    "calc few": "fewer than {number} cases",
    "calc empty": "Enter a number, or choose Unknown.",
    "calc not a number": (
        "“{text}” is not a number. Enter one such as {example}, or choose Unknown."
    ),
    "calc comma": "“{text}” has a comma. Write the number with a decimal point.",
    "calc thousands": (
        "“{text}” can be read in two ways. Write the number without separators of thousands."
    ),
    "calc too large": "“{text}” is too large a number.",
    "calc points": "{points} points",
    "calc one point": "{points} point",
    "calc icons": "{risk} as squares",
}

GERMAN = {
    "handout contents": "Inhalt",
    "handout skip": "Zum Rechner springen",
    "handout purpose": "Wozu sie dient",
    "handout calculator": "Rechner",
    "handout how": "So geht es von Hand",
    "handout example": "Ein durchgerechnetes Beispiel",
    "handout staircase": "Die Treppe",
    "handout risks": "Das Risiko, in Menschen",
    "handout stopping": "Wann man aufhört zu fragen",
    "handout merit": "Wie gut sie ist",
    "handout undecided": "Wenn es unentschieden bleibt",
    "handout unknown": "Wenn eine Antwort unbekannt ist",
    "handout limits": "Grenzen",
    "handout about": "Woher sie kommt",
    "handout intro": (
        "Eine Liste von {count} Ja/Nein-Fragen, die der Reihe nach gestellt werden. Nach jeder"
        " Antwort ergeben die Punkte eine Summe, die Summe nennt das Risiko, und man hört auf,"
        " sobald es klar genug ist."
    ),
    "handout intro one": ("Eine einzige Ja/Nein-Frage. Die Punkte der Antwort nennen das Risiko."),
    "handout outcome": "Sie nennt das Risiko für",
    "handout horizon": "Zeitraum",
    "handout for": "Für",
    "handout not for": "Nicht für",
    "handout outside": "alle außerhalb dieser Gruppe; über sie sagen die Zahlen nichts",
    "handout population unknown": "nicht angegeben: vor dem Gebrauch klären",
    "handout before": "Vor jeder Frage",
    "handout how start": "Mit der Summe 0 beginnen und die Fragen der Reihe nach stellen.",
    "handout how add": "Ja: Punkte dazuzählen. Nein: nichts dazuzählen.",
    "handout how look": (
        "Nach jeder Antwort das Feld der eigenen Summe ansehen: Ein gefülltes Feld (▼ oder ▲) heißt"
        " aufhören, jedes andere heißt die nächste Frage stellen."
    ),
    "handout how look all": "Alle Fragen stellen, dann das Risiko im Feld der Summe ablesen.",
    "handout example data": (
        "Der häufigste Weg zu einer Entscheidung bei den Fällen hinter der Liste: {cases} Fälle"
        " antworten so, davon {positives} mit dem Zielereignis."
    ),
    "handout example data open": (
        "Der häufigste Weg durch die Liste bei den Fällen dahinter: {cases} Fälle antworten so,"
        " davon {positives} mit dem Zielereignis."
    ),
    "handout example made up": "Ausgedacht, denn die Liste enthält keine Antworten von Fällen.",
    "handout example step": "{points}, Summe {total}",
    "handout example risk": "Risiko {risk}: {what}.",
    "handout example stop": "{what}.",
    "handout example on": "Die nächste Frage stellen.",
    "handout next": "die nächste Frage stellen",
    "handout grid caption": "Die Fragen der Reihe nach und die Summen, die danach möglich sind",
    "handout stage": "Stufe",
    "handout ranges": (
        "Die Bereiche einer Zeile gelten gemeinsam: Mit {level} Sicherheit enthalten alle das wahre"
        " Risiko. Daher sind sie weiter als ein Bereich für eine Zahl allein, wie ihn die"
        " Intervalle an anderer Stelle dieser Seite geben."
    ),
    "handout icons": (
        "Jedes Quadrat ist einer von {per} gleichartigen Menschen; dunkle haben das Zielereignis."
        " Ein halb gefülltes Quadrat steht für weniger als einen von ihnen."
    ),
    "handout icons stop": "{decision}: alle, die damit aufhören",
    "handout icons open": "alle, die unentschieden enden",
    "handout icons unknown": "alle, die nicht entscheidbar sind (Antworten unbekannt)",
    "handout icons total": "Summe {total} nach allen Fragen",
    "handout icons cases": "{positives} von {cases} Fällen",
    "handout stop out": "bei einer Summe bis {total} aufhören: {decision}",
    "handout stop in": "bei einer Summe ab {total} aufhören: {decision}",
    "handout stop open": "von {low} bis {high} bleibt es unentschieden, aufhören",
    "handout stop last open": "von {low} bis {high} bleibt es unentschieden",
    "handout stop single open": "bei {low} bleibt es unentschieden",
    "handout stop go on": "sonst Frage {number} stellen",
    "handout stop nobody": "hier hört niemand auf, Frage {number} stellen",
    "handout shares": "Von allen Fällen: wer nach jeder Frage aufgehört hat",
    "handout share stage": "Nach Frage",
    "handout share going on": "noch gefragt",
    "handout share unknown": "nicht entscheidbar (Antworten unbekannt)",
    "handout mean": "Im Mittel werden {mean} von {count} Fragen gestellt.",
    "handout mean cost": "Im Mittel kosten die Fragen {cost}.",
    "handout no shares": (
        "Wie viele wo aufhören, ist nicht bekannt: Die Liste enthält keine Antwortmuster ihrer"
        " Fälle."
    ),
    "handout measure": "Kennzahl",
    "handout value": "Wert",
    "handout interval": "95-%-Intervall",
    "handout cases": "Fälle",
    "handout from": "Aus",
    "handout no merit": (
        "Die Liste enthält keine Antwortmuster ihrer Fälle; wie gut sie mit diesen Grenzen ist,"
        " lässt sich hier nicht ausrechnen. Vielleicht sagt es die Quelle."
    ),
    "handout nobody": "niemand",
    "handout ppv": "Positiver Vorhersagewert",
    "handout ppv meaning": (
        "von {per}, die mit „{decision}“ aufhören, haben so viele das Zielereignis"
    ),
    "handout miss": "Anteil Übersehener",
    "handout miss meaning": (
        "von {per}, die mit „{decision}“ aufhören, haben so viele das Zielereignis"
    ),
    "handout sensitivity strict": "Sensitivität, streng",
    "handout sensitivity strict meaning": (
        "von {per} mit dem Zielereignis werden so viele nachgewiesen; ohne Entscheidung gilt"
        " als übersehen"
    ),
    "handout sensitivity lenient": "Sensitivität, nachsichtig",
    "handout sensitivity lenient meaning": (
        "von {per} mit dem Zielereignis werden so viele nicht ausgeschlossen; ohne"
        " Entscheidung gilt als gefunden"
    ),
    "handout specificity strict": "Spezifität, streng",
    "handout specificity strict meaning": (
        "von {per} ohne das Zielereignis werden so viele ausgeschlossen; ohne Entscheidung gilt"
        " als Fehlalarm"
    ),
    "handout specificity lenient": "Spezifität, nachsichtig",
    "handout specificity lenient meaning": (
        "von {per} ohne das Zielereignis werden so viele nicht nachgewiesen; ohne Entscheidung"
        " gilt als richtig"
    ),
    "handout brier": "Brier-Wert",
    "handout brier meaning": (
        "mittlerer quadratischer Fehler des am Ende genannten Risikos; 0 ist vollkommen, allen die"
        " Grundrate zu nennen ergibt {base}"
    ),
    "handout auc": "AUC",
    "handout auc meaning": (
        "wie oft jemand mit dem Zielereignis nach {count} Fragen die höhere Summe hat als jemand"
        " ohne; 0,5 ist Zufall, 1 ist vollkommen"
    ),
    "handout merit held-out": (
        "Zurückgehalten: Diese Fälle haben die Fragen nicht gewählt. Die Risiken wurden an ihnen"
        " geschätzt, daher sehen Brier-Wert und Kalibrierung etwas besser aus als bei neuen Fällen."
    ),
    "handout merit training": (
        "Training: Dieselben Fälle haben die Fragen gewählt und die Risiken ergeben; alle diese"
        " Zahlen sehen besser aus als bei neuen Fällen."
    ),
    "handout merit published": "Wie in der Quelle; nicht an neuen Fällen berechnet.",
    "handout methods": (
        "Intervalle, jedes für seine Zahl allein: Clopper–Pearson für Anteile, DeLong auf der"
        " Logit-Skala für die AUC, normal für den Brier-Wert."
    ),
    "handout left out": (
        "{cases} Fälle, deren unbekannte Antworten mehr als ein Risiko offen lassen, fehlen im"
        " Brier-Wert."
    ),
    "handout without total": (
        "{cases} Fälle mit einer unbekannten Antwort haben keine Summe und fehlen in der AUC."
    ),
    "handout axis question": "Frage (0: vor der ersten)",
    "handout axis told": "genanntes Risiko",
    "handout axis share": "von {per} Fällen",
    "handout axis threshold": "handeln ab diesem Risiko",
    "handout curve list": "nach der Liste handeln",
    "handout curve everybody": "bei allen handeln",
    "handout curve nobody": "bei niemandem handeln",
    "handout stages heading": "Risiko nach jeder Frage",
    "handout stages caption": (
        "Ein Zeichen je Summe, die kleinste links: ▼ Halt, {out}; ▲ Halt, {into}; ◆"
        " unentschieden; Kreis weiterfragen. Striche sind die {level}-Bereiche für alle Summen"
        " einer Frage gemeinsam, gestrichelte Linien die Grenzen."
    ),
    "handout stages caption single": (
        "Ein Zeichen je Summe, die kleinste links: ▼ Halt, {out}; ▲ Halt, {into}; ◆"
        " unentschieden; Kreis weiterfragen. Striche sind die {level}-Bereiche, gestrichelte Linien"
        " die Grenzen."
    ),
    "handout stages caption plain": (
        "Ein Zeichen je Summe, die kleinste links: ▼ Halt, {out}; ▲ Halt, {into}; ◆"
        " unentschieden; Kreis weiterfragen. Gestrichelte Linien sind die Grenzen."
    ),
    "handout stages alternative": "Die Risiken der Treppe als Bild, von {per}. {stages}",
    "handout stages one": "{after}: {risks}.",
    "handout calibration heading": "Kalibrierung",
    "handout calibration caption": (
        "Genanntes Risiko gegen beobachteten Anteil (mit 95-%-Intervall für ihn allein), von"
        " {per}, für jede Summe, bei der man endet. Auf der gestrichelten Linie sind beide gleich."
    ),
    "handout calibration near": (
        "Die Risiken wurden an eben diesen Fällen geschätzt, daher liegen die Zeichen zwangsläufig"
        " nahe der Linie; mehr können nur neue Fälle zeigen."
    ),
    "handout calibration alternative": "Genanntes Risiko und beobachteter Anteil: {points}.",
    "handout calibration point": "genannt {told}, beobachtet {seen}",
    "handout shares heading": "Wer nach jeder Frage aufgehört hat",
    "handout shares caption": (
        "Dunkel, links: {out}. Hell, rechts: {into}. Dazwischen: noch gefragt, in der letzten Zeile"
        " ohne Entscheidung."
    ),
    "handout shares alternative": "Von {per} Fällen. {rows}",
    "handout shares one": "{after}: {out} ausgeschlossen, {into} nachgewiesen.",
    "handout benefit heading": "Entscheidungskurve",
    "handout benefit caption": (
        "Nettonutzen je {per} Fälle: richtig Gefundene minus Fehlalarme, gewichtet nach dem Risiko,"
        " ab dem man handeln würde. Höher ist besser; was unter null liegt, ist bei null"
        " gezeichnet. Gestrichelte Senkrechte sind die Grenzen."
    ),
    "handout benefit alternative": (
        "Nettonutzen je Schwelle. An der Grenze {limit}: nach der Liste {listed}, bei allen"
        " {everybody}, bei niemandem 0, je {per} Fälle."
    ),
    "handout undecided none": "Mit diesen Grenzen endet niemand unentschieden.",
    "handout unknown text": (
        "Eine unbekannte Antwort zählt nie als Nein. Mit beiden Summen weiterrechnen, einmal als"
        " wäre die Antwort Ja und einmal als wäre sie Nein. Nur aufhören, wenn beide mit derselben"
        " Entscheidung aufhören; sind die Fragen zu Ende und sie unterscheiden sich, kann die Liste"
        " erst entscheiden, wenn die Antwort bekannt ist."
    ),
    "handout limit averages": (
        "Ein Risiko ist das einer Gruppe mit derselben Summe, nicht das eines einzelnen Menschen;"
        " was die Fragen nicht erfassen, ist nicht darin."
    ),
    "handout limit place": (
        "An einem anderen Ort oder zu anderer Zeit können die Risiken anders sein, auch wenn die"
        " Fragen ebenso gut sind."
    ),
    "handout few": "Hinter Feldern mit * stehen weniger als {number} Fälle.",
    "handout no device": (
        "Diese Seite speichert nichts und sendet nichts; sie arbeitet ohne Netz."
    ),
    "handout source": "Quelle",
    "handout validation": "Validierung",
    "handout licence": "Lizenz",
    "handout version": "Version",
    "handout date": "Datum",
    "handout cite": "So wird sie zitiert",
    "handout citation": "{title}. Punkteliste, {identity}. {source}",
    "handout fingerprint": "Fingerabdruck der Liste (SHA-256)",
    "handout made by": "Hergestellt mit",
    "handout notes": "Hinweise",
    "handout made from": "Wie sie entstand",
    "calc intro": "Nichts, was Sie eingeben, wird gespeichert oder gesendet.",
    "calc not started": (
        "Der Rechner ist nicht gestartet: Skripte sind abgeschaltet, oder diese Datei wurde"
        " verändert. Bitte die Treppe von Hand benutzen."
    ),
    "calc broken": (
        "Diesen Rechner nicht benutzen: Sein Selbsttest hat ein Ergebnis gefunden, das von der"
        " Liste abweicht. Bitte die Treppe von Hand benutzen und die Datei neu besorgen."
    ),
    "calc question": "Frage {number} von {count}",
    "calc yes": "Ja",
    "calc no": "Nein",
    "calc unknown": "Unbekannt",
    "calc back": "Zurück",
    "calc restart": "Neu beginnen",
    "calc copy": "Ergebnis kopieren",
    "calc copied": "Kopiert.",
    "calc copy by hand": "Den Text unten auswählen und kopieren.",
    "calc note": "Ergebnis als Text",
    "calc use": "Wert übernehmen",
    "calc value": "Wert",
    "calc value in": "Wert in {unit}",
    "calc counts as yes": "Ja heißt: {condition}",
    "calc or": "oder antworten",
    "calc total": "Summe",
    "calc risk": "Risiko",
    "calc range": "{level}-Bereich",
    "calc counts": "Beobachtet",
    "calc no risk": "hier keine Zahl",
    "calc answers": "Antworten",
    "calc stop": "Halt",
    "calc open end": "Ende der Fragen",
    "calc asked": "nach {number} von {count} Fragen",
    "calc certain": "Keine spätere Antwort kann das noch ändern.",
    "calc certain unknown": "Die unbekannten Antworten können das nicht ändern.",
    "calc depends": "Es hängt davon ab, was nicht bekannt ist: {questions}",
    "calc change": "Was sich noch ändern kann",
    "calc can end": "Möglich ist noch: {decisions}",
    "calc more": "Verbleibende Fragen: {low} bis {high}",
    "calc more exactly": "Verbleibende Fragen: {low}",
    "calc risk span": "Risiko am Ende: {low} bis {high} von {per}",
    "calc few": "weniger als {number} Fälle",
    "calc empty": "Eine Zahl eingeben oder „Unbekannt“ wählen.",
    "calc not a number": (
        "„{text}“ ist keine Zahl. Eine Zahl wie {example} eingeben oder „Unbekannt“ wählen."
    ),
    "calc comma": "„{text}“ hat mehr als ein Komma. Die Zahl mit einem Dezimalkomma schreiben.",
    "calc thousands": (
        "„{text}“ lässt sich auf zwei Arten lesen. Die Zahl ohne Tausenderzeichen schreiben."
    ),
    "calc too large": "„{text}“ ist eine zu große Zahl.",
    "calc points": "{points} Punkte",
    "calc one point": "{points} Punkt",
    "calc icons": "{risk} als Quadrate",
}

WORDS: dict[str, Mapping[str, str]] = {"en": ENGLISH, "de": GERMAN}


def handout_wording(scoring_list: ScoringList, language: str = "en") -> Wording:
    """The wording of a list with the words of the handout."""
    wording = Wording.of(scoring_list, language)
    words = {**wording.language.words, **WORDS[wording.language.code]}
    return replace(wording, language=replace(wording.language, words=words))
