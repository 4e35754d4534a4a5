"""Usage is charged once a request and summed over the session."""

from refold.json_values import JsonObject
from refold.messages import TokenCounts, TokenUsage
from refold.sources.token_ledger import NO_TOKENS, charged, counts_of


def test_input_that_includes_cached_tokens_is_taken_apart() -> None:
    assert counts_of(input_tokens=100, cache_read=60, cache_write=30, output=7) == TokenCounts(
        cache_read=60, cache_write=40, output=7, total=107, extra=JsonObject({"input": 10})
    )


def test_more_cached_than_input_is_no_negative_count() -> None:
    assert counts_of(input_tokens=5, cache_read=60, output=0) == TokenCounts(
        cache_read=60, cache_write=0, output=0, total=60
    )


def test_nothing_used_is_no_usage() -> None:
    assert counts_of(input_tokens=0, cache_read=0, output=0) is None


def test_the_session_is_the_sum_of_its_requests() -> None:
    first = TokenCounts(cache_read=1, cache_write=2, output=3, total=6)
    second = TokenCounts(cache_read=10, cache_write=20, output=30, total=60)
    before = charged(NO_TOKENS, first)
    assert before == TokenUsage(session=first, request=first)
    assert charged(before.session, second) == TokenUsage(
        session=TokenCounts(cache_read=11, cache_write=22, output=33, total=66), request=second
    )
