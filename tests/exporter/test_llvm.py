"""GNU's text of ARMv6-M through LLVM's assembler, which armclang has built in: the same bytes as GNU as."""

import shutil
import subprocess
from io import BytesIO
from random import Random

import pytest
from elftools.elf.elffile import ELFFile

from tightfit.generator import load_space, render, spaces
from tightfit.harness.bench import routine_of
from tightfit.records import Variant
from tightfit.targets import load_target
from tightfit.targets.toolchain import tool

TARGET = load_target("armv6m")
PART = TARGET.part(TARGET.default_part)
# Where several instructions load a symbol, GNU has one word in a literal pool, LLVM one for each; GNU fills
# the end of a section.
POOL = range(-2, 13)
CASES = [
    (primitive, template)
    for target, primitive in spaces()
    if target == TARGET.id
    for template in load_space(target, primitive).templates
]


def sections(data):
    """What an object has in each section, without zeros at the end, which GNU fills and LLVM does not."""
    elf = ELFFile(BytesIO(data))
    found = {section.name: section.data().rstrip(b"\0") for section in elf.iter_sections()}
    return {name: found.get(name, b"") for name in (".text", ".rodata", ".data")}


def assembled(command, text, folder):
    source, output = folder / "t.s", folder / "t.o"
    source.write_text(text)
    done = subprocess.run([*command, "-o", output, source], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return sections(output.read_bytes())


@pytest.mark.skipif(not shutil.which("llvm-mc"), reason="there is no llvm-mc on PATH")
@pytest.mark.parametrize("primitive, template", CASES)
def test_llvm_gives_the_bytes_of_gnu(primitive, template, tmp_path):
    spec = load_space(TARGET.id, primitive).templates[template]
    for operation in spec.operations:
        knobs = spec.sample(operation, Random(0))
        variant = Variant(TARGET.id, PART.name, primitive, operation, template, knobs)
        text = routine_of(variant, render(variant, name="t", markers=False), "t").source
        gnu = assembled([tool(TARGET.id, "as"), *PART.core.assemble], text, tmp_path)
        llvm = assembled(["llvm-mc", "--triple=thumbv6m-none-eabi", "-filetype=obj"], text, tmp_path)
        assert gnu[".text"]
        if ".ltorg" in text or " =" in text:
            assert len(llvm.pop(".text")) - len(gnu.pop(".text")) in POOL
        assert llvm == gnu
