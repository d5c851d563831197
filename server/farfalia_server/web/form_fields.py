"""The fields of forms: what was refused, and how a field names what is said about it."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup


@dataclass(frozen=True, slots=True)
class Refused:
    """A form that was refused: which one, at which field if one is wrong, why, and what else was typed."""

    form: str
    field: str
    text: str
    status: int
    typed: dict[str, str]


def field_attributes(refused: Refused | None, form: str, name: str, hint: str) -> Markup:
    """Return the attributes of a field: its name, what describes it, and whether it is wrong."""
    wrong = refused is not None and (refused.form, refused.field) == (form, name)
    told = [f"{form}-{name}-hint"] * bool(hint) + [f"{form}-{name}-wrong"] * wrong
    described = Markup(' aria-describedby="{}"').format(" ".join(told)) if told else Markup()
    return Markup('id="{}-{}" name="{}"{}{}').format(
        form, name, name, described, Markup(' aria-invalid="true" autofocus') if wrong else Markup()
    )
