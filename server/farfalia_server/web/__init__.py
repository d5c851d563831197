"""The pages and the JSON at the HTTP port: everything that may be read without a token."""

from .app import create_web

__all__ = ["create_web"]
