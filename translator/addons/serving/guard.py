"""Refuses requests that come by another name of the server, or from pages of other sites."""

from collections.abc import Sequence

from starlette.types import ASGIApp, Receive, Scope, Send

from translator.addons.serving.answers import error_answer

PAGES = ("/", "/health")  # that a link on another site may lead to


class Guard:
    """Stands before the application.

    Args:
        app: the application.
        hosts: names that the server may be called by; any if None.
        origins: sites whose pages may call it.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str] | None, origins: tuple[str, ...]) -> None:
        self.app = app
        self.hosts = None if hosts is None else {name.strip("[]").lower() for name in hosts}
        self.origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, or answers it with an error."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        host, origin = headers.get("host", ""), headers.get("origin")
        is_foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        answer = None
        if self.hosts is not None and _name_of(host) not in self.hosts:
            answer = error_answer(
                400, f"expected the server's own name, found {host:.60}; --allow-host adds one"
            )
        elif origin is not None and not self._is_allowed(origin, host):
            answer = error_answer(
                403, f"expected a page of this server, found {origin:.60}; --allow-origin adds one"
            )
        elif origin is None and is_foreign and scope["path"] not in PAGES and not self.origins:
            answer = error_answer(403, "expected a page of this server, found one of another site")
        await (answer or self.app)(scope, receive, send)

    def _is_allowed(self, origin: str, host: str) -> bool:
        return origin.partition("://")[2] == host or bool({origin, "*"} & set(self.origins))


def _name_of(host: str) -> str:
    """The name in a Host header, in small letters, without the port and without brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()
