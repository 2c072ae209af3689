"""Several libraries in one firmware, under the names that they get by themselves."""

from pathlib import Path

import pytest

from tests.answers import targets

from .firmware.boards import ours
from .firmware.compilers import assemble, link

SHA = ("--need", "sha-256")
LIBRARIES = {
    "aes128_sha256": ("--need", "aes-128:encrypt", *SHA, "--rom", "3KB"),
    "aes128_encrypt_decrypt_sha256": ("--need", "aes-128:encrypt+decrypt", *SHA, "--rom", "4KB", "--sum-ram"),
    "present80": ("present-80", "encrypt", "--rom", "1KB"),
    "speck64128": ("speck64-128", "encrypt", "--rom", "512B"),
}
HEADERS = "".join(f'#include "{name}.h"\n#include "{name}_selftest.h"\n' for name in LIBRARIES)
CLOCKS = "".join(f"    {name}_selftest_clocks(ignore);\n" for name in LIBRARIES)
WITHOUT_CLOCKS = ("rv32e",)
"""Where the self-test knows no timer."""
RIGHT = " | ".join(f"({name}_selftest() != 0) << {n}" for n, name in enumerate(LIBRARIES))
MAIN = f"""{HEADERS}
aes128_sha256_room one;
aes128_encrypt_decrypt_sha256_room two;
present80_block three;
speck64128_block four;
static void ignore(char c)
{{
    (void)c;
}}
void timed(void)
{{
{CLOCKS}}}
int main(void)
{{
    aes128_sha256_aes128_encrypt(&one.aes128);
    aes128_encrypt_decrypt_sha256_aes128_decrypt(&two.aes128);
    present80_encrypt(&three);
    speck64128_encrypt(&four);
    return {RIGHT};
}}
"""


@pytest.mark.in_turn(3)
@pytest.mark.dear("four libraries, compiled")
@pytest.mark.parametrize("target", targets("aes-128", "sha-256", "present-80", "speck64-128"))
def test_two_of_several_routines_and_two_of_one(tightfit, frame, tmp_path, target):
    lib = tmp_path / "lib"
    for name, options in LIBRARIES.items():
        status, _, err = tightfit("export", *options, "--target", target, "--to", lib / name)
        assert (status, err) == (0, "")
        assert (lib / name / "src" / f"{name}.h").is_file()
    main = MAIN.replace(CLOCKS, "    (void)ignore;\n") if target in WITHOUT_CLOCKS else MAIN
    (tmp_path / "main.c").write_text(main)
    routines = [assemble(target, file, file.with_suffix(".o")) for file in sorted(lib.rglob("*.S"))]
    headers = [f"-I{lib / name / 'src'}" for name in LIBRARIES]
    sources = [tmp_path / "main.c", *sorted(lib.glob("*/src/*.c")), *routines, *frame(target).start]
    image = link(target, ["-Os", "-ffunction-sections", *headers], sources, tmp_path / "image.elf")
    assert ours(target, image).code == 0


ONE = ("speck64-128", "encrypt", "--target", "avr")


def test_a_name_that_a_library_beside_it_has(tightfit, tmp_path):
    def exported(folder, *options):
        status, _, err = tightfit("export", *ONE, *options, "--to", tmp_path / folder)
        return status, err

    assert exported("one", "--name", "box") == (0, "")
    status, err = exported("two", "--name", "Box", "--ram", "512B")
    assert (status, err.count("\n")) == (2, 1)
    assert f"name 'Box' is that of the library in {tmp_path / 'one'}" in err
    assert err.endswith("take another, such as Box_lib\n")
    assert not (tmp_path / "two").exists()
    assert exported("two", "--name", "box") == (0, "")  # the same library
    assert exported("elsewhere/two", "--name", "box", "--ram", "512B") == (0, "")
    assert exported("three") == (0, "")
    status, err = exported("four", "--ram", "512B")
    assert (status, err.count("\n")) == (0, 1)
    assert f"{tmp_path / 'three'} has names of this library too" in err


def test_a_folder_beside_it_that_says_nonsense(tightfit, tmp_path):
    files = '{"target": [], "command": 1, "files": 2}'
    for n, text in enumerate(("{", "[" * 100_000, "9" * 6_000, files, "[]", "\xff")):
        folder = Path(tmp_path / f"odd{n}")
        folder.mkdir()
        (folder / ".tightfit-export.json").write_text(text, encoding="latin-1")
    status, _, err = tightfit("export", *ONE, "--name", "box", "--to", tmp_path / "one")
    assert (status, err) == (0, "")
