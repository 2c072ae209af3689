"""The toy hash in RL78 assembly, correct, with places where a test makes it misbehave."""

from tightfit.harness.routine import Routine

from .routines import Emission, Layout

STATE, MESSAGE, FLAGS, LENGTH, COUNT, WORK, SIZE = 0, 4, 20, 21, 22, 24, 26


LAYOUT = Layout(
    (
        ("state", STATE, 4),
        ("message", MESSAGE, 16),
        ("flags", FLAGS, 1),
        ("length", LENGTH, 1),
        ("count", COUNT, 2),
        ("work", WORK, 2),
    ),
    SIZE,
)


# DE is the block, HL its message.
SOURCE = """
        .text
        .global _tf_hash
        .type   _tf_hash, @function
_tf_hash:
__tf_b0:
        push    hl
        movw    de, ax
        addw    ax, #4
        movw    hl, ax
{start}
        mov     a, [de+20]
        bf      a.0, $.Lfollows
{first}
        movw    ax, #0x0201
        movw    [de], ax
        movw    ax, #0x0403
        movw    [de+2], ax
        clrw    ax
        movw    [de+22], ax
.Lfollows:
        mov     a, [de+20]
        bt      a.1, $.Llast
{count_block}
        movw    ax, [de+22]
        addw    ax, #16
        movw    [de+22], ax
        call    !!compress
        br      $.Lend
.Llast: mov     a, [de+21]
        mov     c, a
        mov     x, a
        clrb    a
        addw    ax, [hl+18]
        movw    [de+22], ax
        mov     a, #0x80
        mov     [hl+c], a
.Lfill: inc     c
        mov     a, c
        cmp     a, #16
        bnz     $.Lroom
        call    !!compress
        mov     c, #0
        mov     a, c
.Lroom: cmp     a, #{count_at}
        bz      $.Lcount
{zero}
        mov     [hl+c], a
        br      $.Lfill
.Lcount:
        movw    ax, [de+22]
        movw    [de+18], ax
        call    !!compress
{after_last}
.Lend:
{end}
        pop     hl
        ret
__tf_e0:
        .size   _tf_hash, . - _tf_hash
        .type   compress, @function
compress:
__tf_b1:
        mov     b, #0
.Lbyte: mov     a, [de]
        add     a, [hl+b]
        rol     a, 1
        mov     x, a
        mov     a, [de+1]
        mov     [de], a
        xor     a, x
        mov     c, a
        mov     a, [de+2]
        mov     [de+1], a
        mov     a, [de+3]
        mov     [de+2], a
        mov     a, c
        mov     [de+3], a
        inc     b
        mov     a, b
        cmp     a, #16
        bnz     $.Lbyte
{compressed}
        ret
__tf_e1:
        .size   compress, . - compress
{extra}
"""
RIGHT = {
    **dict.fromkeys(("start", "first", "count_block", "after_last", "end", "compressed", "extra"), ""),
    "count_at": "14",
    "zero": "        mov     a, #0",
}
EMISSIONS = (Emission("entry", "__tf_b0", "__tf_e0"), Emission("compress", "__tf_b1", "__tf_e1"))


def routine(**doing) -> Routine:
    """The correct routine, with other text in some of its places, or other promises."""
    source = SOURCE.format(**{name: doing.pop(name, right) for name, right in RIGHT.items()})
    promises = {"layout": LAYOUT, "kept": frozenset({"state", "count"}), "emissions": EMISSIONS, **doing}
    return Routine(source, "tf", **{"entries": ("hash",), **promises})
