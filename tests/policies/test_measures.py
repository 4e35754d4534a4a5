"""How many bytes a history weighs."""

from __future__ import annotations

import pytest

from refold.policies.history import (
    AssistantTurn,
    Call,
    HistoryItem,
    Image,
    PlainText,
    ToolResult,
    UserTurn,
    prompt,
)
from refold.policies.measures import pressure_bytes, wire_bytes

DATA = UserTurn(parts=(Image(url="data:image/png;base64,AAAA"),))
WEB = UserTurn(parts=(Image(url="https://e.org/a"),))
CALL = AssistantTurn(text="é", calls=(Call(call_id="ab", name="run", arguments='{"a":1}'),))
RESULT = ToolResult(call_id="ab", parts=(PlainText(text="😀"), PlainText(text="\ud800")))


@pytest.mark.parametrize(
    ("item", "wire", "pressure"),
    [
        (prompt("abc"), 3, 3),
        (AssistantTurn(), 0, 0),
        (CALL, 2 + 2 + 3 + 7, 2 + 2 + 3 + 7),
        (RESULT, 2 + 4 + 3, 2 + 4 + 3),
        (DATA, 4, 16_384 + 9),
        (WEB, 15, 16_384),
    ],
)
def test_an_item_weighs_its_texts_and_its_images_by_the_measure(
    item: HistoryItem, wire: int, pressure: int
) -> None:
    assert (wire_bytes((item,)), pressure_bytes((item,))) == (wire, pressure)


def test_a_history_weighs_the_sum_of_its_items() -> None:
    assert wire_bytes((CALL, RESULT)) == wire_bytes((CALL,)) + wire_bytes((RESULT,))
