"""Contents of every version: texts, parts with sources, and the older binary parts."""

from __future__ import annotations

from refold.json_values import JsonObject
from refold.messages import ImageUrl, Notice, Text
from refold.sources.ag_ui.content import user_payloads


def test_a_text_is_a_text() -> None:
    assert user_payloads("hi") == (Text(role="user", text="hi"),)


def test_parts_are_one_text_then_images_then_what_else_there_is() -> None:
    parts = [
        {"type": "image", "source": {"type": "url", "value": "https://a.example/x.png"}},
        {"type": "text", "text": "a"},
        {"type": "binary", "mimeType": "image/gif", "data": "BB"},
        {"type": "text", "text": "b"},
        {"type": "binary", "mimeType": "image/gif", "url": "https://a.example/y.gif"},
        {
            "type": "document",
            "source": {"type": "data", "value": "CC", "mimeType": "application/pdf"},
        },
        {"type": "binary", "mimeType": "application/zip", "filename": "z.zip", "data": "DD"},
    ]
    assert user_payloads(parts) == (
        Text(role="user", text="a\nb"),
        ImageUrl(role="user", image_url="https://a.example/x.png"),
        ImageUrl(role="user", image_url="data:image/gif;base64,BB"),
        ImageUrl(role="user", image_url="https://a.example/y.gif"),
        Notice(
            name="attachment",
            text="application/pdf",
            data=JsonObject(
                {
                    "type": "document",
                    "source": JsonObject({"type": "data", "mimeType": "application/pdf"}),
                }
            ),
        ),
        Notice(
            name="attachment",
            text="z.zip",
            data=JsonObject({"type": "binary", "mimeType": "application/zip", "filename": "z.zip"}),
        ),
    )
