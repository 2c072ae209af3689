"""Messages of message authentication codes: fed as those of hashes are, each under a key of its own."""

import random
from collections.abc import Iterator, Sequence

from tightfit.harness.kinds.counting import Ask, Called
from tightfit.harness.kinds.hashing import Asked, Hash
from tightfit.harness.kinds.turns import Dialogue, extremes, rows_of
from tightfit.harness.routine import Routine
from tightfit.primitives.vectors import MacVector


class Mac(Hash):
    """Keys and messages of one MAC, the same for every candidate; tags come from the oracle, once."""

    entry, answer = "mac", "tag"

    def check(self, routine: Routine) -> None:
        """One entry; a block with key, tag, flags, length and a message block."""
        self.check_message(routine)
        routine.check_field("key", self.primitive.key_bytes)
        routine.check_field("tag", self.primitive.tag_bytes)

    def ask(self, messages: Sequence[bytes], label: str) -> Asked:
        """Messages with keys, those that hardly ever come up at random among many, and their tags."""
        size, count = self.primitive.key_bytes, len(messages)
        source = random.Random(f"{self.primitive.id} {self.primitive.seed} keys {label}")
        first = extremes(size)[::-1] if count > 3 else []
        keys = (first + [source.randbytes(size) for _ in range(count)])[:count]
        tags = [self.primitive.oracle.tag(key, message) for key, message in zip(keys, messages, strict=True)]
        return Asked(messages, tags, {"key": rows_of(keys)})

    def published(self, vectors: Sequence[MacVector]) -> Asked:
        """Messages under the keys of published answers."""
        keys = rows_of([vector.key for vector in vectors])
        return Asked([v.message for v in vectors], [v.tag for v in vectors], {"key": keys})

    def counts(self, routine: Routine, ask: Ask) -> list[Called]:
        """None: a tag of a forged count is nobody's."""
        return []

    def long(self, routine: Routine) -> Iterator[Dialogue]:
        """A long message, if the length is part of what is authenticated."""
        return super().long(routine) if self.primitive.message_bits else iter(())
