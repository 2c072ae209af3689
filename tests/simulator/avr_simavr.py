"""simavr through its library, one instruction at a time: state and clocks after each."""

import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import cffi

from tightfit.targets import toolchain

SOURCE = Path(__file__).with_name("avr_simavr.c")
API = """
    typedef struct avr_t avr_t;
    avr_t *other_open(const char *mcu);
    void other_close(avr_t *avr);
    uint8_t *other_flash(avr_t *avr);
    uint8_t *other_data(avr_t *avr);
    uint32_t other_data_size(avr_t *avr);
    uint32_t other_pc(avr_t *avr);
    uint8_t other_sreg(avr_t *avr);
    void other_set(avr_t *avr, uint32_t pc, uint8_t sreg);
    uint64_t other_step(avr_t *avr);
    uint64_t other_until(avr_t *avr, uint32_t stop, uint64_t limit);
    uint64_t other_run(avr_t *avr);
"""


@cache
def load():
    """The foreign-function interface and the library, compiled against libsimavr and libelf."""
    ffi = cffi.FFI()
    ffi.cdef(API)
    root = toolchain.package_root("avr", "simavr") / "usr"
    (built,) = root.glob("lib/*/libsimavr.so")
    flags = [f"-I{root}/include", f"-L{built.parent}", f"-Wl,-rpath,{built.parent}", "-lsimavr", "-lelf"]
    with TemporaryDirectory() as folder:
        library = f"{folder}/libother.so"
        command = ["cc", "-O2", "-fPIC", "-shared", "-o", library, str(SOURCE), *flags]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return ffi, ffi.dlopen(library)


class Simavr:
    """One part. `data` is its data space itself: a write to it is one to registers, I/O or RAM."""

    def __init__(self, mcu: str):
        ffi, self._lib = load()
        handle = self._lib.other_open(mcu.encode())
        assert handle != ffi.NULL, mcu
        self._avr = ffi.gc(handle, self._lib.other_close)
        size = self._lib.other_data_size(handle)
        self.data = ffi.buffer(self._lib.other_data(handle), size)
        self._flash = self._lib.other_flash(handle)
        self._ffi = ffi

    def load(self, address: int, code: bytes) -> None:
        """Put code into the flash."""
        self._ffi.memmove(self._flash + address, code, len(code))

    def start(self, pc: int, sreg: int) -> None:
        """Set program counter and SREG; the rest of the state is in `data`."""
        self._lib.other_set(self._avr, pc, sreg)

    def step(self) -> int:
        """Clocks of one instruction."""
        return self._lib.other_step(self._avr)

    def until(self, stop: int, limit: int) -> int:
        """Clocks up to the instruction at `stop`, more than `limit` where it is not reached by then."""
        return self._lib.other_until(self._avr, stop, limit)

    def run(self) -> int:
        """Run as simavr itself does until the program sleeps for good; the clocks."""
        return self._lib.other_run(self._avr)

    @property
    def pc(self) -> int:
        return self._lib.other_pc(self._avr)

    @property
    def sreg(self) -> int:
        return self._lib.other_sreg(self._avr)
