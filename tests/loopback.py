"""A web server for the tests of downloads."""

import http.server
import threading


class LoopbackServer:
    """Serves bytes by their path on the loopback address, and counts what is asked for."""

    def __init__(self) -> None:
        self.content: dict[str, bytes] = {}
        self.cut_short: set[str] = set()
        self.requests: list[str] = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:  # noqa: N802
                outer.requests.append(self.path)
                content = outer.content.get(self.path)
                self.send_response(200 if content is not None else 404)
                self.send_header("Content-Length", str(len(content or b"")))
                self.end_headers()
                short = self.path in outer.cut_short
                self.wfile.write((content or b"")[: len(content or b"") // (2 if short else 1)])

            def log_message(self, *arguments: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        """Answers nothing from now on."""
        self.server.shutdown()
        self.server.server_close()
