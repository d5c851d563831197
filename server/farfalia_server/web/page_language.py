"""Translates the texts of templates when a template is compiled, so that rendering costs nothing extra.

Each language has an environment of its own, with its own compiled templates.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeGuard

from jinja2 import Environment, PackageLoader, StrictUndefined, nodes
from jinja2.visitor import NodeTransformer

from farfalia_server.wording.language import SOURCE, gettext, ngettext, speaking

_PLACEHOLDER: Final = re.compile(r"%\((\w+)\)s")
_FUNCTIONS: Final = ("_", "gettext")


class PageEnvironment(Environment):
    """The templates in a language: a text in `_()` or `{% trans %}` passes `gettext`, one with a plural `ngettext`."""

    def __init__(self, language: str = SOURCE) -> None:
        self.language = language
        super().__init__(
            loader=PackageLoader("farfalia_server.web"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=StrictUndefined,
            extensions=["jinja2.ext.i18n"],
        )
        self.policies["ext.i18n.trimmed"] = True
        self.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]

    def _generate(self, source: nodes.Template, *rest: Any, **named: Any) -> str:
        """Return the code of a template, with its texts in place of the calls that would look them up."""
        with speaking(self.language):
            tree = _Translator(gettext).visit(source)
        tree.set_environment(self)
        return super()._generate(tree, *rest, **named)


class _Translator(NodeTransformer):
    def __init__(self, translate: Callable[[str], str]) -> None:
        self._translate = translate

    def visit_Output(self, node: nodes.Output) -> nodes.Node:  # noqa: N802, as Jinja names it
        """Put the parts of a text, its words and its values, where the text is shown."""
        shown: list[nodes.Expr] = []
        for child in node.nodes:
            shown += self._parts(child) if _is_text(child) else [self.visit(child)]
        node.nodes = shown
        return node

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802, as Jinja names it
        """Put a text without values in place of the call, where it is handed on."""
        self.generic_visit(node)
        return self._parts(node)[0] if _is_text(node) and not node.kwargs else node

    def _parts(self, call: nodes.Call) -> list[nodes.Expr]:
        values = {keyword.key: self.visit(keyword.value) for keyword in call.kwargs}
        text = self._translate(call.args[0].as_const())
        return [
            values[part] if place % 2 else nodes.TemplateData(part.replace("%%", "%"), lineno=call.lineno)
            for place, part in enumerate(_PLACEHOLDER.split(text))
        ]


def _is_text(node: nodes.Node) -> TypeGuard[nodes.Call]:
    return isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name in _FUNCTIONS
