"""Whole messages to authenticated encryption, with associated data: sealed, opened, forged."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from tightfit.contenders.messages import changed
from tightfit.contenders.whole import ONE, TWO, Asked, Whole, mean, number
from tightfit.curve import WITH_DATA
from tightfit.harness.kinds.aead import RANKED
from tightfit.harness.kinds.turns import Dialogue, joined, structured
from tightfit.harness.routine import Cycles, Routine
from tightfit.primitives.vectors import AeadVector
from tightfit.records import Curve

SEAL, OPEN = "seal", "open"
DATA_BYTES = 128
"""Bytes of the longest associated data; that of two blocks where they are longer."""
_FIELDS = ("key", "nonce", "ad", "text")


class Sealings(Whole):
    """Texts with associated data to one authenticated encryption, each under a key and a nonce."""

    full_inputs = 100

    def length_of(self, vector: AeadVector) -> int:
        fits = len(vector.ad) <= self.interface.fields["ad"]
        return len(vector.plaintext) if fits else self.longest + 1

    def numbers(self, texts: Sequence[bytes], given: Mapping[str, Sequence[bytes]]) -> tuple[int, int]:
        """Bytes of text and of associated data."""
        return len(texts[0]), len(given["ad"][0])

    def published(self, vector: AeadVector) -> Dialogue:
        rows = {name: [getattr(vector, name)] for name in ("key", "nonce", "ad")}
        rows["text"] = [vector.plaintext]
        return self._each(rows, [vector.ciphertext + vector.tag])

    def asked(self, texts: Sequence[bytes], label: str, data: int = 0) -> Dialogue:
        rows = self._rows(texts, label, data)
        return self._each(rows, self._sealed(rows))

    def random(self, routine: Routine, count: int) -> Dialogue:
        """The ranked message, and those of one and of two blocks, the first the beginning of the second."""
        data, text = RANKED
        messages = self.messages(2 * self.block, count)
        blocks = (self.asked([m[:n] for m in messages], "blocks") for n in (self.block, 2 * self.block))
        return joined([self.asked(self.messages(text, count), "ranked", data), *blocks])

    def lengths(self, lengths: Iterable[int]) -> Iterator[Dialogue]:
        """Two messages of each length without data, and two with as much of it as there is room for."""
        for length in lengths:
            if length <= self.longest:
                texts = [bytes(length), *self.messages(length, 1)]
                yield self.asked(texts, str(length))
                yield self.asked(texts, f"{length} data", min(length, self.interface.fields["ad"]))

    def known(self, routine: Routine) -> Iterator[Dialogue]:
        """As of other kinds, and data of lengths near the edges of a block."""
        yield from super().known(routine)
        for data in (1, self.block - 1, self.block, self.block + 1, 2 * self.block):
            for text in (0, self.block + 1):
                yield self.asked(self.messages(text, 1), f"{text} edge", data)
        inputs = structured(self.block + 1, 8, 8)
        yield self.asked(inputs, "data", len(inputs[0]))

    def thorough(self, routine: Routine) -> Iterator[Dialogue]:
        """As of other kinds, and data of every length up to two blocks, and the longest."""
        yield from super().thorough(routine)
        for data in (*range(2 * self.block), self.interface.fields["ad"]):
            yield self.asked(self.messages(5, 1), "every", data)
        for data, text in ((0, 1), (1, 0), (0, 0)):
            yield from self._forged(data, text)

    def forged(self) -> Iterator[Dialogue]:
        return self._forged(*RANKED)

    def tested_bytes(self, full: bool) -> int:
        """As many as the part has room for."""
        return self.longest

    def shapes(self, routine: Routine, count: int) -> Mapping[str, Dialogue]:
        """Sealed messages of the lengths that the curve has, without data and with it."""
        shapes = {}
        for data in (0, WITH_DATA):
            for length in self.curved:
                rows = self._rows(self.messages(length, count), str(length), data)
                shapes[f"{SEAL} {data} {length}"] = [self._seal(rows, self._sealed(rows))]
        return shapes

    def secret(self, routine: Routine) -> Iterator[Dialogue]:
        """Messages of some lengths, sealed and opened."""
        yield from super().secret(routine)
        for data, text in ((0, 1), (1, 0), (self.block + 1, 2 * self.block - 1)):
            yield self.asked(self.messages(text, 1), "secret", data)

    def curve(self, cycles: Mapping[str, Cycles]) -> Curve:
        """The cycles of messages without associated data, and with as much as the ranked one has."""
        added = self.interface.overhead[SEAL]
        points, with_data = (
            tuple(number(mean(cycles[f"{SEAL} {data} {length}"]) - added) for length in self.curved)
            for data in (0, WITH_DATA)
        )
        return Curve(self.curved, points, self.slope(cycles), with_data)

    def _forged(self, data: int, text: int) -> Iterator[Dialogue]:
        """A bit changed in each byte of ciphertext, tag, data, nonce and key."""
        rows = self._rows(self.messages(text, 1), "forged", data)
        sealed = self._sealed(rows)[0]
        right = {name: values[0] for name, values in rows.items()} | {"text": sealed}
        for name, value in right.items():
            if value:
                wrong = changed(value)
                given = {each: [right[each]] * len(wrong) for each in _FIELDS} | {name: wrong}
                texts = given.pop("text")
                yield [self.turn(Asked(OPEN, None, texts, given, refused=True))]

    def _rows(self, texts: Sequence[bytes], label: str, data: int) -> dict[str, Sequence[bytes]]:
        sizes = {"key": self.primitive.key_bytes, "nonce": self.primitive.nonce_bytes, "ad": data}
        drawn = {name: self.bytes_of(name, size, len(texts), label) for name, size in sizes.items()}
        return {**drawn, "text": texts}

    def _sealed(self, rows: Mapping[str, Sequence[bytes]]) -> list[bytes]:
        return [self.primitive.oracle.seal(*each) for each in zip(*map(rows.get, _FIELDS), strict=True)]

    def _each(self, rows: Mapping[str, Sequence[bytes]], sealed: Sequence[bytes]) -> Dialogue:
        return [self._seal(rows, sealed), self._open(rows, sealed)]

    def _seal(self, rows: Mapping[str, Sequence[bytes]], sealed: Sequence[bytes]):
        given, texts = _split(rows)
        figure = self._figure(SEAL, len(given["ad"][0]), len(texts[0]))
        return self.turn(Asked(SEAL, figure, texts, given, sealed, made=len(sealed[0])))

    def _open(self, rows: Mapping[str, Sequence[bytes]], sealed: Sequence[bytes]):
        given, texts = _split(rows)
        figure = self._figure(OPEN, len(given["ad"][0]), len(texts[0]))
        return self.turn(Asked(OPEN, figure, sealed, given, texts, made=len(texts[0]), spare=True))

    def _figure(self, entry: str, data: int, text: int) -> str:
        """A figure, or else a shape of it."""
        timed = {(SEAL, 0, self.block): ONE, (SEAL, 0, 2 * self.block): TWO}
        timed |= {(each, *RANKED): each for each in (SEAL, OPEN)}
        return timed.get((entry, data, text), f"{entry} {data} {text}")


def _split(rows: Mapping[str, Sequence[bytes]]) -> tuple[dict[str, Sequence[bytes]], Sequence[bytes]]:
    """What is given beside the text, and the text."""
    return {name: values for name, values in rows.items() if name != "text"}, rows["text"]
