"""From a table to finished files: how a list is learned, and what a card.toml asks for."""

# What is said in some language; sources, dates and names of places may be the same in all.
READ_ALOUD = (
    *("title", "outcome", "outcome_sentence", "population", "horizon", "validation", "note"),
    *("when_to_use", "not_for", "pitfalls", "rule_out", "rule_in", "undecided"),
    *("next_steps_rule_out", "next_steps_rule_in", "next_steps_undecided"),
)
