"""Pages of the standards that primitives name, for packages that must say where to read on."""

from tightfit.primitives import Primitive

_PAGES = {
    "JH ": "https://www3.ntu.edu.sg/home/wuhj/research/jh/",
    "Groestl ": "https://www.groestl.info/",
    "RFC 3713": "https://www.rfc-editor.org/rfc/rfc3713",
    "RFC 6114": "https://www.rfc-editor.org/rfc/rfc6114",
    "RFC 7693": "https://www.rfc-editor.org/rfc/rfc7693",
    "RFC 8439": "https://www.rfc-editor.org/rfc/rfc8439",
    "SHA-3 proposal BLAKE": "https://www.aumasson.jp/blake/",
    "Skein": "https://www.schneier.com/academic/skein/",
    "FIPS 180": "https://doi.org/10.6028/NIST.FIPS.180-4",
    "FIPS 197": "https://doi.org/10.6028/NIST.FIPS.197-upd1",
    "FIPS 198": "https://doi.org/10.6028/NIST.FIPS.198-1",
    "FIPS 202": "https://doi.org/10.6028/NIST.FIPS.202",
    "NIST SP 800-232": "https://doi.org/10.6028/NIST.SP.800-232",
    "D. J. Bernstein: The Salsa20": "https://cr.yp.to/snuffle.html",
    "ISO/IEC 29192-3": "https://www.iso.org/standard/56426.html",
    "Needham, Wheeler": "https://www.cix.co.uk/~klockstone/xtea.pdf",
    "SP 800-38A": "https://doi.org/10.6028/NIST.SP.800-38A",
    "SP 800-38B": "https://doi.org/10.6028/NIST.SP.800-38B",
    "SP 800-38C": "https://doi.org/10.6028/NIST.SP.800-38C",
    "SP 800-38D": "https://doi.org/10.6028/NIST.SP.800-38D",
    "ISO/IEC 29192-2": "https://doi.org/10.1007/978-3-540-74735-2_31",  # PRESENT, as it was published
    "Keccak": "https://keccak.team/keccak.html",
    "ePrint 2013/404": "https://eprint.iacr.org/2013/404",
}
"""Pages by what the name of a standard begins with."""
ANY = "https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines"
"""The page for a standard that is not listed."""


def page_of(primitive: Primitive) -> str:
    """The page of a primitive's standard."""
    return next((page for name, page in _PAGES.items() if primitive.standard.startswith(name)), ANY)
