"""A local server that speaks OpenAI's chat completions and Gemini's generateContent on the wire.

The real LangChain clients talk to it: HTTP mocks would test the mock, and the vendors have changed the HTTP library
below their SDKs before. What it answers is a function from the request to a `Reply` (see `replies`), so a test states
the reply and can look at the prompt.

    with FakeServer(answer("supported", ["p1"])) as server:
        spec = ModelSpec(model="openai:some-model", base_url=server.openai_url)
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Request:
    """What a client sent."""

    number: int
    """1 for the first request that the server got."""
    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def wire(self) -> str:
        return "google" if ":generateContent" in self.path else "openai"

    @property
    def model(self) -> str:
        return self.body["model"] if self.wire == "openai" else self.path.split("/models/")[1].split(":")[0]

    @property
    def rung(self) -> str:
        """How a structured answer was asked for."""
        if self.body.get("tools"):
            return "function_calling"
        if self.wire == "openai":
            kind = self.body.get("response_format", {}).get("type")
            return {"json_schema": "json_schema", "json_object": "json_mode"}.get(kind, "line")
        config = self.body.get("generationConfig", {})
        if "responseJsonSchema" in config:
            return "json_schema"
        return "json_mode" if config.get("responseMimeType") == "application/json" else "line"

    @property
    def system(self) -> str:
        if self.wire == "openai":
            return str(self.body["messages"][0]["content"])
        return "".join(part["text"] for part in self.body["systemInstruction"]["parts"])

    @property
    def user(self) -> str:
        if self.wire == "openai":
            return str(self.body["messages"][-1]["content"])
        return "".join(part["text"] for part in self.body["contents"][-1]["parts"])


@dataclass(frozen=True)
class Reply:
    """What the server does."""

    status: int = 200
    body: Any = None
    """Sent as JSON; text is sent as it is."""
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    reset: bool = False
    """Cut the connection instead of answering."""
    byte_delay_s: float = 0.0
    """Send the body byte by byte, with so much time between."""


Script = Callable[[Request], Reply]


class FakeServer:
    """The server, on a port of its own, in a thread of its own."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.peak = 0
        """The most requests that were at work at the same time."""
        self._busy = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    @property
    def openai_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def google_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def url(self, provider: str) -> str:
        return self.openai_url if provider == "openai" else self.google_url

    def __enter__(self) -> FakeServer:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._stop)
        self._thread.join(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=512))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in self._tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*self._tasks, return_exceptions=True))
        self._loop.close()

    def _stop(self) -> None:
        self._loop.stop()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            while await self._one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # The client went away, as it does at its deadline, or the test is over.
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False if the connection is over."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        data = await reader.readexactly(int(headers.get("content-length", 0)))
        request = Request(len(self.requests) + 1, head[0].split(" ")[1], headers, json.loads(data or b"{}"))
        self.requests.append(request)
        self._busy += 1
        self.peak = max(self.peak, self._busy)
        try:
            return await self._reply(self.script(request), writer)
        finally:
            self._busy -= 1

    async def _reply(self, reply: Reply, writer: asyncio.StreamWriter) -> bool:
        if reply.delay_s:
            await asyncio.sleep(reply.delay_s)
        if reply.reset:
            # Lingering for no time makes the system send a reset instead of an orderly end.
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            return False
        text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
        data = text.encode()
        fields = {"content-type": "application/json", "content-length": str(len(data)), **reply.headers}
        lines = [f"HTTP/1.1 {reply.status} -", *(f"{name}: {value}" for name, value in fields.items())]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n")
        if reply.byte_delay_s:
            for byte in data:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(reply.byte_delay_s)
        else:
            writer.write(data)
        await writer.drain()
        return True
