"""Whole messages to hashes and to message authentication codes, and tags to their verification."""

from collections.abc import Iterator, Sequence

from tightfit.contenders.whole import Asked, Whole
from tightfit.harness.kinds.turns import Dialogue
from tightfit.primitives.vectors import HashVector, MacVector

HASH, MAC, VERIFY = "hash", "mac", "verify"


class Messages(Whole):
    """Messages of one hash."""

    output = "digest"

    def length_of(self, vector: HashVector) -> int:
        return len(vector.message)

    def published(self, vector: HashVector) -> Dialogue:
        return self._calls([vector.message], [vector.digest])

    def asked(self, texts: Sequence[bytes], label: str) -> Dialogue:
        return self._calls(texts, [self.primitive.oracle.digest(text) for text in texts])

    def _calls(self, texts: Sequence[bytes], digests: Sequence[bytes]) -> Dialogue:
        return [self.turn(Asked(HASH, self.figure(len(texts[0])), texts, answers=digests))]


class Tags(Whole):
    """Messages of one message authentication code, each under a key: to tag, or with a tag to verify."""

    output = "tag"

    def length_of(self, vector: MacVector) -> int:
        return len(vector.message)

    def published(self, vector: MacVector) -> Dialogue:
        return self._calls([vector.message], [vector.key], [vector.tag])

    def asked(self, texts: Sequence[bytes], label: str) -> Dialogue:
        keys = self.bytes_of("keys", self.primitive.key_bytes, len(texts), label)
        return self._calls(texts, keys, self._tags(texts, keys))

    def forged(self) -> Iterator[Dialogue]:
        """A bit changed in each byte of tag, key and message."""
        if self.entry != VERIFY:
            return
        length = self.block + 3
        text, key = (
            self.messages(length, 1)[0],
            self.bytes_of("keys", self.primitive.key_bytes, 1, "forged")[0],
        )
        right = {"message": text, "key": key, "out": self._tags([text], [key])[0]}
        for name, value in right.items():
            wrong = changed(value)
            rows = {each: [right[each]] * len(wrong) for each in right} | {name: wrong}
            if name == "key":  # bits of a key may be cleared before use, as some of Poly1305's are
                tags = self._tags(rows["message"], wrong)
                kept = [n for n, tag in enumerate(tags) if tag != right["out"]]
                rows = {each: [values[n] for n in kept] for each, values in rows.items()}
            texts = rows.pop("message")
            yield [self.turn(Asked(VERIFY, None, texts, rows, refused=True))]

    def _calls(self, texts: Sequence[bytes], keys: Sequence[bytes], tags: Sequence[bytes]) -> Dialogue:
        figure, given = self.figure(len(texts[0])), {"key": keys}
        if self.entry == VERIFY:
            return [self.turn(Asked(VERIFY, figure, texts, {**given, "out": tags}))]
        return [self.turn(Asked(MAC, figure, texts, given, tags))]

    def _tags(self, texts: Sequence[bytes], keys: Sequence[bytes]) -> list[bytes]:
        return [self.primitive.oracle.tag(key, text) for key, text in zip(keys, texts, strict=True)]


def changed(value: bytes) -> list[bytes]:
    """The value with one bit changed, each time in another byte."""
    return [value[:at] + bytes([value[at] ^ 1 << at % 8]) + value[at + 1 :] for at in range(len(value))]
