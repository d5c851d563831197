"""The pages and the JSON at the HTTP port: everything that may be read without a token."""

from farfalia_server.web.app import create_front, create_web
from farfalia_server.web.rendered_page import Page, PageRequest, fetch

__all__ = ["Page", "PageRequest", "create_front", "create_web", "fetch"]
