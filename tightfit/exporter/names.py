"""Names of libraries, and those that C, its headers and the build tools have taken."""

import re
from collections.abc import Iterable

from tightfit.errors import UsageError
from tightfit.targets import target_ids

KEYWORDS = frozenset(
    (
        "alignas alignof and asm auto bool break case catch char class compl const continue default delete "
        "do double else enum explicit export extern false float for friend goto if inline int long mutable "
        "namespace new not operator or private protected public register restrict return short signed "
        "sizeof static struct switch template this throw true try typedef typeid typename union unsigned "
        "using virtual void volatile while xor"
    ).split()
)
"""Words that C or C++ takes for itself."""
_HEADERS = (
    "alloca argz ar assert byteswap complex cpio ctype dirent devctl elf endian envlock envz errno fastmath "
    "fcntl features fenv float fnmatch ftw getopt glob grp iconv ieeefp inttypes iso646 langinfo libgen "
    "limits locale malloc math memory newlib paths poll pthread pwd reent regdef regex sched search "
    "semaphore setjmp signal spawn stdalign stdarg stdatomic stdbit stdbool stdckdint stddef stdfix stdint "
    "stdio stdlib stdnoreturn string strings syslimits tar termios tgmath threads time uchar unctrl unistd "
    "unwind utime utmp varargs wchar wctype wordexp gcov stdfix-avrlibc stdfix-gcc stdint-gcc "
    "arm_acle arm_bf16 arm_cde arm_cmse arm_fp16 arm_mve arm_mve_types arm_neon mmintrin "
    "riscv_bitmanip riscv_cmo riscv_crypto riscv_vector"
).split()
"""Of C to C23, of POSIX as newlib has it, of AVR Libc and of GCC."""
_PARTS = (
    "iomacros in430 intrinsics legacymsp430 iodefine interrupt_handlers vect typedefine cmsis_compiler "
    "cmsis_gcc core_cm0 core_cm0plus core_riscv ch32v00x"
).split()
_ARDUINO = (
    "arduino binary client eeprom hardwareserial hardwareserial_private hid ipaddress new pins_arduino "
    "pluggableusb print printable server softwareserial spi stream twi udp usbapi usbcore usbdesc wcharacter "
    "wire wiring wiring_private wmath wprogram wstring"
).split()
_FUNCTIONS = (
    "abort abs atexit atoi atol calloc exit fclose fopen fprintf fputc fputs fread free fwrite getchar gets "
    "isalpha isdigit isspace labs loop main malloc memchr memcmp memcpy memmove memset printf putchar puts "
    "qsort rand realloc scanf setup snprintf sprintf srand sscanf strcat strchr strcmp strcpy strlen strncmp "
    "strncpy strstr strtol vprintf"
).split()
_ARCHIVES = "c g m gcc nosys sim crt semihost stdc++ supc++ printf_flt printf_min scanf_flt scanf_min".split()
_CMAKE = (
    "all all_build clean depend edit_cache help install list_install_components nightly package "
    "package_source preinstall rebuild_cache run_tests selftest test zero_check"
).split()
_DEVICES = ["aux", "con", "nul", "prn", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
_GROUPS = {
    "a word of C or C++": KEYWORDS,
    "a header of the C library or the compiler": _HEADERS,
    "a header of the microcontroller": [*target_ids(), *_PARTS],
    "a header of Arduino": _ARDUINO,
    "a function of C or Arduino": _FUNCTIONS,
    "a library of the compiler": _ARCHIVES,
    "a target of CMake or make": _CMAKE,
    "a device of Windows": _DEVICES,
}
_TAKEN = {word: what for what, words in reversed(_GROUPS.items()) for word in words}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LONGEST = 63
"""Characters that Arduino allows in the name of a library."""


def check_name(name: str) -> None:
    """Raise UsageError, with a name that can be had, unless a library can have this one.

    Letters count as the same in upper and lower case, as they are in the file systems of Windows and macOS,
    and in the names of macros.
    """
    what = _problem(name)
    if what:
        raise UsageError(f"name {_shown(name)} {what}; take another, such as {offer(name)}")


def offer(name: str) -> str:
    """A name like this one that a library can have."""
    plain = re.sub(r"_{2,}", "_", re.sub(r"\W", "_", name, flags=re.ASCII)).strip("_")[: _LONGEST - 8]
    if not plain[:1].isalpha() or plain.lower().startswith("arduino"):
        plain = f"lib_{plain}".rstrip("_")
    return plain if _problem(plain) is None and plain != name else f"{plain}_lib"


def _problem(name: str) -> str | None:
    """Why a library cannot have a name; None where it can."""
    if not _NAME.fullmatch(name):
        return "is no C name, which has letters, digits and _, a letter first"
    if len(name) > _LONGEST:
        return f"has {len(name)} characters, more than the {_LONGEST} that Arduino takes"
    if "__" in name:
        return "has __, which C++ reserves"
    if name.lower().startswith("arduino"):
        return "begins as those of Arduino's own libraries"
    taken = _TAKEN.get(name.lower())
    return taken and f"is {taken}"


def _shown(name: str) -> str:
    return repr(name if len(name) <= _LONGEST else f"{name[:_LONGEST]}...")


def default_name(primitive: str) -> str:
    """The primitive's id without characters that C names may not have."""
    return re.sub(r"\W", "", primitive)


def name_of_several(routines: Iterable[tuple[str, str | None]]) -> str:
    """The name of a library of routines: their primitives, each with its operation unless that is None."""
    parts = ["_".join([default_name(primitive), *_words(operation)]) for primitive, operation in routines]
    for count in range(len(parts), 0, -1):
        rest = [f"and_{len(parts) - count}_more"] * (count < len(parts))
        name = "_".join([*parts[:count], *rest])
        if len(name) <= _LONGEST:
            break
    return name


def _words(operation: str | None) -> list[str]:
    return [re.sub(r"\W", "_", operation)] if operation else []
