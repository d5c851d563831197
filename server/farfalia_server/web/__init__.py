"""Everything at the HTTP port: pages and their JSON, streams of events and downloads, which need no token.

Begin with `app`, the routes: `pages` are for people, `api` is the same data as JSON, and both ask the `Reader` of
`arena`. `gate` is in front of all and `page_cache` in front of the pages. `reading_process` serves them in a process of
their own. `downloads` serves the SDK and the contract.
"""

from farfalia_server.web.app import create_front, create_web
from farfalia_server.web.rendered_page import Page, PageRequest, fetch

__all__ = ["Page", "PageRequest", "create_front", "create_web", "fetch"]
