"""The pages and the JSON at the HTTP port: everything that can be read without a token.

Begin with `app`, the routes: `pages` are for people, `api` is the same data as JSON, and both ask the `Reader` of
`arena`. `front` answers at the port: it caches pages and has them made in a worker process (`reading_process`).
`downloads` serves the SDK and the contract.
"""

from farfalia_server.web.app import create_front, create_web
from farfalia_server.web.rendered_page import Page, PageRequest, fetch

__all__ = ["Page", "PageRequest", "create_front", "create_web", "fetch"]
