"""A session while its updates come in.

Rules of this file:

- A lane is everything known of one session: the message being chunked, the calls, the turn, the
  facts. Values only; the verbs are in the files behind this one, each a function from lane to lane.
- What a record makes a session say is collected in ``said`` and taken out once the record is done.
- Nothing here grows but by what the agent itself keeps: a call per call, a text per message id.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from refold.json_values import Json
from refold.maps import EMPTY_MAP, Map
from refold.messages import Payload, SessionMeta, TokenCounts
from refold.records import evolver, record
from refold.sources.logs.spots import NOWHERE, Sketch, Spot, sketched
from refold.sources.token_ledger import NO_TOKENS
from refold.texts import GrownText
from refold.vectors import EMPTY_VECTOR, Vector

__all__ = [
    "Call",
    "Compaction",
    "Lane",
    "Part",
    "Segment",
    "SegmentKind",
    "Terminal",
    "Turn",
    "say",
    "with_call",
]

SegmentKind: TypeAlias = Literal["user", "agent", "thought"]


@record
class Segment:
    """A run of chunks that are one message.

    Args:
        kind: whose.
        message_id: the agent's id of the message, if it gives one.
        phase: what the agent says the message is for (``commentary``, ``final_answer``), if it does.
        text: what came so far.
        size: how many characters that is.
        chunks: how many chunks it came in.
        images: pictures the user put in.
        echoes: it may repeat the prompt: nothing was said since.
        first: where it began.
        last: where its last chunk was.
    """

    kind: SegmentKind
    message_id: str | None = None
    phase: str | None = None
    text: GrownText = ""
    size: int = 0
    chunks: int = 0
    images: tuple[str, ...] = ()
    echoes: bool = False
    first: Spot = NOWHERE
    last: Spot = NOWHERE


@record
class Part:
    """A piece of a call's content: a text, or the output of a terminal.

    Args:
        text: the text.
        terminal: the terminal's id instead.
    """

    text: str = ""
    terminal: str | None = None


@record
class Call:
    """A tool call as its updates have made it.

    Args:
        id: the agent's id.
        tool: the tool's own name, if the agent gives it.
        title: what the agent says it does.
        category: the protocol's ``kind`` of it.
        status: as last said.
        arguments: the raw input as JSON text; empty if there was none.
        places: the files the agent says it is about.
        parts: its content.
        images: pictures in its content.
        raw: what the raw output says as text; None if there was none.
        broken: the raw output says that the tool failed.
        terminal: the terminal whose output the agent sends along with the call's updates.
        called: the call itself is out; from then on only its output changes.
        settled: the output it was last given; None while it runs.
        shown: the output streamed so far; None if none was.
        decided: somebody allowed or denied it.
        first: where it was first spoken of.
        last: where it was last spoken of.
    """

    id: str
    tool: str = ""
    title: str = ""
    category: str = ""
    status: str = ""
    arguments: str = ""
    places: tuple[str, ...] = ()
    parts: Vector[Part] = EMPTY_VECTOR
    images: tuple[str, ...] = ()
    raw: str | None = None
    broken: bool = False
    terminal: str | None = None
    called: bool = False
    settled: tuple[str, tuple[str, ...], str] | None = None
    shown: GrownText | None = None
    decided: bool = False
    first: Spot = NOWHERE
    last: Spot = NOWHERE

    @property
    def name(self) -> str:
        """What to call it."""
        return self.tool or self.title or self.category


@record
class Terminal:
    """What a terminal has put out.

    Args:
        text: the text so far.
        rest: bytes of a character whose others are still to come.
    """

    text: GrownText = ""
    rest: bytes = b""


@record
class Compaction:
    """A compaction that runs.

    Args:
        id: the agent's id of it.
        summary: what it kept, so far.
    """

    id: str
    summary: GrownText = ""


@record
class Turn:
    """A prompt that is being worked on.

    Args:
        prompt: its text, without white space, to know an echo by.
        answered: the agent has said or done something.
        cancelling: the client asked to stop.
    """

    prompt: str
    answered: bool = False
    cancelling: bool = False


@record
class Lane:
    """One session.

    Args:
        id: the session's id; empty if the log names none.
        origin: the sessions it is nested in and itself, outer to inner; empty for the main one.
        meta: what was last said of what it runs on.
        segment: the message being chunked.
        calls: by their id.
        held: the id of a call that may still change before it is out.
        running: ids of the calls that are out and have no output yet.
        terminals: by their id.
        compaction: the one that runs.
        compacted: ids of those that are over.
        turn: the prompt being worked on.
        spoken: something of a conversation has been said.
        replaying: the agent tells again what was said (``session/load``).
        upserts: the texts of finished messages that have an id.
        facts: the latest value of each.
        used: tokens of all prompts so far.
        said: what the record at hand makes it say.
        oddities: what the record at hand holds that is to be counted.
    """

    id: str
    origin: tuple[str, ...] = ()
    meta: SessionMeta | None = None
    segment: Segment | None = None
    calls: Map[Call] = EMPTY_MAP
    held: str | None = None
    running: Map[bool] = EMPTY_MAP
    terminals: Map[Terminal] = EMPTY_MAP
    compaction: Compaction | None = None
    compacted: Map[bool] = EMPTY_MAP
    turn: Turn | None = None
    spoken: bool = False
    replaying: bool = False
    upserts: Map[str] = EMPTY_MAP
    facts: Map[Json] = EMPTY_MAP
    used: TokenCounts = NO_TOKENS
    said: tuple[Sketch, ...] = ()
    oddities: tuple[str, ...] = ()


_with_said = evolver(Lane, "said")
_with_calls = evolver(Lane, "calls")


def say(
    lane: Lane, payload: Payload, spot: Spot, *, id: str | None = None, since: Spot | None = None
) -> Lane:
    """Return a lane that says one thing more.

    Args:
        lane: the session.
        payload: what it says.
        spot: when, and on which line.
        id: the agent's id of it, if there is one.
        since: where it began, if that was earlier.
    """
    return _with_said(lane, (*lane.said, sketched(payload, spot, id, since)))


def with_call(lane: Lane, call: Call) -> Lane:
    """Return a lane with a call as it is now."""
    return _with_calls(lane, lane.calls.put(call.id, call))
