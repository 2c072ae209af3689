"""Whole texts to stream ciphers: added to the keystream, or the keystream alone."""

from collections.abc import Sequence

from tightfit.contenders.whole import Asked, Whole
from tightfit.harness.kinds.turns import Dialogue
from tightfit.primitives.vectors import StreamVector

ENCRYPT, KEYSTREAM = "encrypt", "keystream"


class Texts(Whole):
    """Texts of one stream cipher, each under a key and an initial value."""

    def length_of(self, vector: StreamVector) -> int:
        return vector.keystream_offset + len(vector.keystream)

    def published(self, vector: StreamVector) -> Dialogue:
        before = self.primitive.oracle.keystream(vector.key, vector.iv, 0, vector.keystream_offset)
        keystream = before + vector.keystream
        texts = self.messages(len(keystream), 1)
        return self._calls(texts, [vector.key], [vector.iv], [keystream])

    def asked(self, texts: Sequence[bytes], label: str) -> Dialogue:
        of, count = self.primitive, len(texts)
        keys = self.bytes_of("keys", of.key_bytes, count, label)
        ivs = self.bytes_of("ivs", of.iv_bytes, count, label)
        streams = [of.oracle.keystream(*pair, 0, len(texts[0])) for pair in zip(keys, ivs, strict=True)]
        return self._calls(texts, keys, ivs, streams)

    def _calls(
        self,
        texts: Sequence[bytes],
        keys: Sequence[bytes],
        ivs: Sequence[bytes],
        streams: Sequence[bytes],
    ) -> Dialogue:
        answers = list(streams)
        if self.entry == ENCRYPT:
            pairs = zip(texts, streams, strict=True)
            answers = [bytes(a ^ b for a, b in zip(text, stream, strict=True)) for text, stream in pairs]
        given = {"key": keys, "iv": ivs}
        return [self.turn(Asked(self.entry, self.figure(len(texts[0])), texts, given, answers))]
