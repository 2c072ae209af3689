"""Messages of authenticated encryption with associated data, fed block by block as a caller would."""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache, partial

import numpy as np

from tightfit.curve import LENGTHS, WITH_DATA
from tightfit.harness.kinds.counting import FIRST, LAST, Ask, Called
from tightfit.harness.kinds.turns import Answer, Dialogue, Turn, extremes, joined, rows_of, structured
from tightfit.harness.routine import Bytes, Cycles, Rejected, Routine
from tightfit.primitives import Primitive
from tightfit.primitives.kinds import RANKED_TEXT
from tightfit.primitives.vectors import AeadVector
from tightfit.records import Curve

DATA = 4
"""Bit of the field `flags`: the block holds associated data."""
SEAL, OPEN = "seal", "open"
RANKED = (WITH_DATA, RANKED_TEXT)
"""Bytes of associated data and of text of the message whose cycles rank."""
_PART = 16
"""Bytes of associated data whose number, modulo this, decides how what follows is processed."""
_BRIEF = 300
"""Longest part of the known answers that every gate asks, in bytes."""
_LONG = {False: (300, 66_000), True: (300, 4_200)}
"""Bytes of associated data and of text whose counts carry; with `totals` the count of blocks does."""
_CONTEXT_LENGTHS = (((5, 3), (0, 0)), ((0, 1), (2, 40)))


@dataclass(frozen=True)
class Call:
    """One call of a message: bytes `start` to `start + size` of associated data or of the text.

    `after_data` are the bytes of associated data where the call before had their end, else 0.
    """

    data: bool
    start: int
    size: int
    first: bool
    last: bool
    after_data: int

    @property
    def after(self) -> int | None:
        """What of `after_data` decides how this call goes on; None where it is not after associated data."""
        return self.after_data % _PART if self.after_data else None

    @property
    def flags(self) -> int:
        """The field `flags`."""
        return FIRST * self.first | LAST * self.last | DATA * self.data


@lru_cache(maxsize=256)
def calls_of(block: int, data: int, text: int) -> tuple[Call, ...]:
    """The calls for a message: parts in full blocks and one that is not; no call for no associated data."""
    calls: list[Call] = []
    for of_data, length in ((True, data), (False, text)):
        for start in range(0, length + 1, block) if length or not of_data else ():
            last = not of_data and start + block > length
            after_data = data if calls and calls[-1].data and not of_data else 0
            calls.append(Call(of_data, start, min(block, length - start), not calls, last, after_data))
    return tuple(calls)


@dataclass(frozen=True)
class Sealed:
    """Messages of one shape, a row each."""

    keys: Bytes
    nonces: Bytes
    data: Bytes
    texts: Bytes
    ciphertexts: Bytes
    tags: Bytes

    def __len__(self) -> int:
        return len(self.keys)


class Aead:
    """Messages of one authenticated encryption, the same for every candidate; the oracle seals them, once."""

    full_inputs = 100

    def __init__(self, primitive: Primitive):
        self.primitive = primitive
        self.block = primitive.block_bytes
        self.vectors: list[AeadVector] = []
        self.forgeries: list[AeadVector] = []
        self.add(primitive.vectors())
        self._drawn = lru_cache(maxsize=4096)(self._random)
        self._made_of = lru_cache(maxsize=256)(self._figures)

    def add(self, vectors: Iterable[AeadVector]) -> None:
        """More known answers; those that are forged only for `open`."""
        for vector in vectors:
            (self.forgeries if vector.forged else self.vectors).append(vector)

    @cached_property
    def sums(self) -> dict[str, tuple[str, ...]]:
        """The ranked figure of each entry, which is that of a whole message, by the figures of its calls."""
        calls = calls_of(self.block, *RANKED)
        return {entry: tuple(self._figure(entry, call) for call in calls) for entry in (SEAL, OPEN)}

    def check(self, routine: Routine) -> None:
        """The entries `seal` and `open`; a block with the fields of the kind."""
        for entry in routine.entries:
            if entry not in (SEAL, OPEN):
                raise Rejected(f"entry {entry!r}: expected {SEAL} or {OPEN}")
        of = self.primitive
        sizes = {"key": of.key_bytes, "nonce": of.nonce_bytes, "data": self.block, "flags": 1, "length": 1}
        sizes |= {"tag": of.tag_bytes, **({"data_size": 2, "text_size": 2} if of.totals else {})}
        for name, size in sizes.items():
            routine.check_field(name, size)

    def quick(self, routine: Routine) -> Dialogue:
        """A known answer with as few bytes as there are, through every entry."""
        vector = min(self.vectors, key=lambda vector: (not vector.plaintext, _bytes(vector)))
        return self._each(routine, self._published([vector]))

    def random(self, routine: Routine, count: int) -> Dialogue:
        """The ranked message, and one of two full blocks of each part, through every entry."""
        block = self.block
        return joined(
            self._each(routine, self._drawn(*sizes, count)) for sizes in (RANKED, (2 * block, 2 * block))
        )

    def known(self, routine: Routine) -> Iterator[Dialogue]:
        """The known answers, parts of every length round an edge, inputs with a structure, forged messages,
        and messages on blocks that hold something from before.
        """
        yield from self._vectors(routine, lambda size: size <= _BRIEF)
        edges = sorted({0, 1, self.block - 1, self.block, self.block + 1, 2 * self.block})
        for data, text in ((d, t) for n, d in enumerate(edges) for t in (edges[n], edges[-1 - n], edges[0])):
            yield self._each(routine, self._drawn(data, text, 1))
        yield self._each(routine, self._structured(8, 8))
        yield self._each(routine, self._drawn(self.block + 3, self.block + 5, 2), stale=True)
        if OPEN in routine.entries:
            yield from self._forged(routine, *RANKED)
            for vector in self.forgeries:
                yield self.dialogue(routine, OPEN, self._published([vector]), forged=True)

    def elsewhere(self, routine: Routine, count: int) -> Iterator[Dialogue]:
        """Whole blocks, and parts that end inside one."""
        yield self._each(routine, self._drawn(*RANKED, count))
        yield self._each(routine, self._drawn(self.block + 1, 2 * self.block - 1, 1))

    def contexts(self, routine: Routine) -> Iterator[tuple[Dialogue, Dialogue]]:
        """Messages of different shapes side by side."""
        for (data, text), (other_data, other_text) in _CONTEXT_LENGTHS:
            yield (
                self._each(routine, self._drawn(data, 2 * self.block + text, 1)),
                self._each(routine, self._drawn(self.block + other_data, other_text, 1)),
            )

    def watched(self, routine: Routine, full: bool) -> Iterator[Dialogue]:
        """The ranked message, and one whose parts end inside a block."""
        yield self._each(routine, self._drawn(*RANKED, 2 if full else 1))
        yield self._each(routine, self._drawn(self.block + 1, self.block + 1, 1))

    def counts(self, routine: Routine, ask: Ask) -> list[Called]:
        """None: long messages are asked in `long`."""
        return []

    def long(self, routine: Routine) -> Iterator[Dialogue]:
        """A message whose counts carry."""
        yield self._each(routine, self._drawn(*_LONG[self.primitive.totals], 1))

    def tested_bytes(self, full: bool) -> int:
        """Of the longest text."""
        return _LONG[self.primitive.totals][1] if full else _BRIEF

    def thorough(self, routine: Routine) -> Iterator[Dialogue]:
        """The long known answers, every length of the end of each part, the curve's messages, forgeries."""
        yield from self._vectors(routine, lambda size: size > _BRIEF)
        for length in range(self.block + 1):
            yield self._each(routine, self._drawn(length, self.block - length, 1))
            yield self._each(routine, self._drawn(0, self.block + length, 1))
        for length in LENGTHS:
            yield self._each(routine, self._drawn(0, length, 1))
        if OPEN in routine.entries:
            for sizes in ((0, 1), (1, 0), (0, 0), (self.block, 2 * self.block + 1)):
                yield from self._forged(routine, *sizes)

    def many(self, routine: Routine) -> Iterator[Dialogue]:
        """Inputs with a structure."""
        yield self._each(routine, self._structured(64, 8 * self.primitive.key_bytes))

    def iterated(self, routine: Routine) -> tuple[()]:
        """None."""
        return ()

    def secret(self, routine: Routine) -> Iterator[Dialogue]:
        """Every shape of call, with parts that end on an edge, inside a block, and nowhere."""
        block = self.block
        for sizes in (RANKED, (0, 0), (0, 2 * block + 1), (block + 1, 1), (2 * block, block - 1), (1, 0)):
            yield self._each(routine, self._drawn(*sizes, 1))

    def shapes(self, routine: Routine, count: int) -> Mapping[str, Dialogue]:
        """The calls of the curve's messages that no timed message has."""
        entry, shapes = self._curved(routine.entries), {}
        for data, length in self._messages():
            full, rest = divmod(length, self.block)
            text = min(full, 2) * self.block + rest  # further blocks are like the second
            calls = calls_of(self.block, data, text)
            for n, figure in enumerate(self._figure(entry, call) for call in calls):
                if " " in figure and figure not in shapes:
                    shapes[figure] = self.dialogue(routine, entry, self._drawn(data, text, count))[: n + 1]
        return shapes

    def curve(self, cycles: Mapping[str, Cycles]) -> Curve:
        """Sums of the calls of messages without associated data, and with as much as the ranked one has."""
        entry = self._curved({name.split("_")[0] for name in cycles})
        mean = {name: Fraction(int(counts.sum()), len(counts)) for name, counts in cycles.items()}
        points = [
            _number(sum(mean[figure] * times for figure, times in self._made_of(entry, *sizes)))
            for sizes in self._messages()
        ]
        half = len(LENGTHS)
        slope = _number(mean[f"{entry}_text"] / self.block)
        return Curve(LENGTHS, tuple(points[:half]), slope, tuple(points[half:]))

    def _figures(self, entry: str, data: int, text: int) -> list[tuple[str, int]]:
        """The figures of the calls of a message, and how often each is called."""
        return list(Counter(self._figure(entry, call) for call in calls_of(self.block, data, text)).items())

    def _messages(self) -> list[tuple[int, int]]:
        return [(data, text) for data in (0, WITH_DATA) for text in LENGTHS]

    def _curved(self, entries: Iterable[str]) -> str:
        return SEAL if SEAL in entries else OPEN

    def _figure(self, entry: str, call: Call) -> str:
        """The figure of a call: a word for those of timed messages, with more words for others like it."""
        name, known = self._timed(call)
        if (call.data, call.size, call.first, call.after) == known:
            return f"{entry}_{name}"
        what = "of data" if call.data else "alone" if call.first else "of text"
        after = "" if call.after is None else f" after {call.after} of data"
        return f"{entry}_{name} {call.size} {what}{after}"

    def _timed(self, call: Call) -> tuple[str, tuple[bool, int, bool, int | None]]:
        """The name that calls like one have, and what is known of the timed one: data, size, first, after."""
        first, *_, last = calls_of(self.block, *RANKED)
        if call.last:
            return "last", (False, last.size, False, last.after)
        if call.first:
            return "first", (True, first.size, True, None)
        if call.data:
            size = RANKED[0] % self.block if RANKED[0] >= self.block else self.block
            return "data", (True, size, False, None)
        if call.after is None:
            return "text", (False, self.block, False, None)
        return "turn", (False, self.block, False, RANKED[0] % _PART)

    def _vectors(self, routine: Routine, wanted) -> Iterator[Dialogue]:
        shapes = {(len(vector.ad), len(vector.plaintext)) for vector in self.vectors}
        for shape in sorted(shapes):
            if wanted(sum(shape)):
                same = [v for v in self.vectors if (len(v.ad), len(v.plaintext)) == shape]
                yield self._each(routine, self._published(same))

    def _published(self, vectors: Sequence[AeadVector]) -> Sealed:
        names = ("key", "nonce", "ad", "plaintext", "ciphertext", "tag")
        return Sealed(*(rows_of([getattr(vector, name) for vector in vectors]) for name in names))

    def _random(self, data: int, text: int, count: int) -> Sealed:
        source = random.Random(f"{self.primitive.id} {self.primitive.seed} {data} {text}")
        sizes = (self.primitive.key_bytes, self.primitive.nonce_bytes, data, text)
        first = list(zip(*map(extremes, sizes), strict=True)) if count > 1 else []
        drawn = [tuple(map(source.randbytes, sizes)) for _ in range(count)]
        return self._sealed((first + drawn)[:count])

    def _structured(self, equal: int, bits: int) -> Sealed:
        sizes = (self.primitive.key_bytes, self.primitive.nonce_bytes, self.block + 1, self.block + 2)
        lists = [structured(size, equal, bits if size >= bits // 8 else 8 * size) for size in sizes]
        inputs = [
            tuple(texts[(n + 5 * place) % len(texts)] for place, texts in enumerate(lists))
            for n in range(len(lists[0]))
        ]
        return self._sealed(inputs)

    def _sealed(self, inputs: Sequence[tuple[bytes, bytes, bytes, bytes]]) -> Sealed:
        answers = [self.primitive.oracle.seal(*each) for each in inputs]
        end = len(inputs[0][3])
        rows = [*zip(*inputs, strict=True), [a[:end] for a in answers], [a[end:] for a in answers]]
        return Sealed(*map(rows_of, rows))

    def _forged(self, routine: Routine, data: int, text: int) -> Iterator[Dialogue]:
        """Messages with a bit changed, each in another byte, which `open` must not take for right ones."""
        rights = self._drawn(data, text, 4)
        for name in ("tags", "ciphertexts", "data", "nonces"):
            width = getattr(rights, name).shape[1]
            if not width:
                continue
            places = range(width) if width <= 64 else range(0, width, 7)
            one = {field: np.repeat(getattr(rights, field)[3:4], len(places), axis=0) for field in _FIELDS}
            for row, place in enumerate(places):
                one[name][row, place] ^= 1 << place % 8
            yield self.dialogue(routine, OPEN, Sealed(**one), forged=True)

    def _each(self, routine: Routine, sealed: Sealed, stale: bool = False) -> Dialogue:
        return joined(self.dialogue(routine, entry, sealed, stale=stale) for entry in routine.entries)

    def dialogue(
        self, routine: Routine, entry: str, sealed: Sealed, stale: bool = False, forged: bool = False
    ) -> Dialogue:
        """The calls for messages of one shape, with noise where the routine must not care."""
        count, data, text = len(sealed), sealed.data.shape[1], sealed.texts.shape[1]
        noise = np.random.default_rng([self.primitive.seed, data, text])
        given_text, answer_text = sealed.texts, sealed.ciphertexts
        if entry == OPEN:
            given_text, answer_text = answer_text, given_text
        fixed = {"key": sealed.keys, "nonce": sealed.nonces}
        intact = tuple(Answer(name, rows, partial(_changed, name)) for name, rows in fixed.items())
        if self.primitive.totals:
            fixed |= {"data_size": _words(count, data), "text_size": _words(count, text)}
        turns: list[Turn] = []
        for call in calls_of(self.block, data, text):
            rows = noise.integers(0, 256, (count, self.block), np.uint8)
            whole = sealed.data if call.data else given_text
            rows[:, : call.size] = whole[:, call.start : call.start + call.size]
            given = {
                **fixed,
                "data": rows,
                "flags": np.full((count, 1), call.flags, np.uint8),
                "length": np.full((count, 1), call.size, np.uint8),
            }
            if call.last and entry == OPEN:
                given["tag"] = sealed.tags
            if stale and not turns:
                old = noise.integers(0, 256, (count, routine.layout.size), np.uint8)
                given |= {name: old[:, routine.field(name)] for name in routine.kept - given.keys()}
            answers = list(intact)
            if not call.data and call.size and not forged:
                expected = answer_text[:, call.start : call.start + call.size]
                answers.append(Answer("data", expected, partial(_wrong, entry, sealed, expected)))
            if call.last:
                answers.append(self._end(entry, sealed, forged))
            before = {"after": len(turns) - 1, "carried": routine.kept} if turns else {}
            turns.append(Turn(entry, self._figure(entry, call), given, tuple(answers), **before))
        return turns

    def _end(self, entry: str, sealed: Sealed, forged: bool) -> Answer:
        """The tag of `seal`; in the field `flags` of `open`, 0 where the tag is right."""
        if entry == SEAL:
            return Answer("tag", sealed.tags, partial(_wrong_tag, sealed))
        zero = np.zeros((len(sealed), 1), np.uint8)
        return Answer("flags", zero, partial(_misjudged, sealed, forged), differs=forged)


_FIELDS = tuple(Sealed.__dataclass_fields__)


def _bytes(vector: AeadVector) -> int:
    return len(vector.ad) + len(vector.plaintext)


def _words(count: int, number: int) -> Bytes:
    return rows_of([number.to_bytes(2, "little")] * count)


def _number(value: Fraction | int) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)


def _changed(field: str, _n: int, _found: bytes) -> str:
    return f"{field} not intact: it must be as the caller gave it"


def _message(sealed: Sealed, n: int) -> str:
    key, nonce = sealed.keys[n].tobytes().hex(), sealed.nonces[n].tobytes().hex()
    sizes = f"{sealed.texts.shape[1]} bytes with {sealed.data.shape[1]} of associated data"
    return f"{sizes} under key {key} and nonce {nonce}"


def _wrong(entry: str, sealed: Sealed, expected: Bytes, n: int, found: bytes) -> str:
    answer = expected[n].tobytes().hex()
    return f"wrong answer: {entry} of {_message(sealed, n)}: expected {answer}, found {found.hex()}"


def _wrong_tag(sealed: Sealed, n: int, found: bytes) -> str:
    tag = sealed.tags[n].tobytes().hex()
    return f"wrong tag: seal of {_message(sealed, n)}: expected {tag}, found {found.hex()}"


def _misjudged(sealed: Sealed, forged: bool, n: int, found: bytes) -> str:
    what = "a forged message" if forged else "a right tag"
    wanted = "other than 0" if forged else "0"
    return f"wrong answer: open of {what}, {_message(sealed, n)}: expected flags {wanted}, found {found[0]}"
