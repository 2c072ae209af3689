"""The folder as a CMake package and as an Arduino library, built by avr-gcc."""

import json
from pathlib import Path

import pytest

from tests.answers import targets, winning
from tests.exporter import arduino, platformio
from tightfit.exporter.standards import ANY, page_of
from tightfit.primitives import load_primitive, primitive_ids
from tightfit.targets import load_target
from tightfit.targets.toolchain import tool

from .libraries import exported, run

MAIN = '#include "it.h"\nit_block block;\nint main(void) { it_hash(&block); return 0; }\n'
PROJECT = """
cmake_minimum_required(VERSION 3.16)
project(firmware LANGUAGES {languages})
{library}
add_executable(firmware main.c)
target_link_libraries(firmware {linked})
"""
INSIDE = PROJECT.format(languages="C ASM", library="add_subdirectory(it)", linked="it::it it::selftest")
FOUND = PROJECT.format(languages="C", library="find_package(it 0.1 REQUIRED)", linked="it::it")
ARDUINO = """
#pragma once
#include <stdint.h>
#include <avr/pgmspace.h>
#define F(text) text
struct Port {
    void begin(long) {}
    operator bool() { return true; }
    void write(char) {}
    void flush() {}
    void print(const char *) {}
    void println(const char *) {}
    void println(int) {}
};
extern Port Serial;
"""


@pytest.fixture
def library(tmp_path) -> Path:
    """A hash as `it` in a folder `it`."""
    return exported(winning("avr", "sha-256")[0], tmp_path / "it").folder


def symbols(elf: Path, target="avr") -> str:
    return run(tool(target, "nm"), elf)


def built(folder: Path, project: str, library: Path, *options: object) -> Path:
    """The firmware of a CMake project that uses the library."""
    (folder / "CMakeLists.txt").write_text(project)
    (folder / "main.c").write_text(MAIN)
    chain = f"-DCMAKE_TOOLCHAIN_FILE={library / 'toolchain.cmake'}"
    run("cmake", "-S", ".", "-B", "build", chain, *options, cwd=folder)
    run("cmake", "--build", "build", cwd=folder)
    return folder / "build" / "firmware"


def test_as_part_of_a_cmake_project(library, tmp_path):
    assert " T it_hash\n" in symbols(built(tmp_path, INSIDE, library))


def test_installed_and_found_by_cmake(library, tmp_path):
    chain = "-DCMAKE_TOOLCHAIN_FILE=toolchain.cmake"
    run("cmake", "-S", ".", "-B", "build", chain, cwd=library)
    run("cmake", "--build", "build", cwd=library)
    run("cmake", "--install", "build", "--prefix", tmp_path / "there", cwd=library)
    (tmp_path / "project").mkdir()
    firmware = built(tmp_path / "project", FOUND, library, f"-DCMAKE_PREFIX_PATH={tmp_path / 'there'}")
    assert " T it_hash\n" in symbols(firmware)


@pytest.mark.parametrize("target", targets("sha-256"))
def test_cmake_makes_the_archive_with_every_compiler(target, tmp_path):
    exported(winning(target, "sha-256")[0], tmp_path)
    cross = str(tool(target, "cc")).removesuffix("gcc")
    options = ("-DCMAKE_TOOLCHAIN_FILE=toolchain.cmake", f"-DCROSS={cross}")
    run("cmake", "-S", ".", "-B", "build", *options, cwd=tmp_path)
    run("cmake", "--build", "build", cwd=tmp_path)
    symbol = load_target(target).abi.symbol("it_hash")
    assert f" T {symbol}\n" in symbols(tmp_path / "build" / "libit.a", target)


@pytest.mark.parametrize("part", ["atmega1284p", "atmega328p"])
def test_as_an_arduino_library(library, tmp_path, part):
    """What Arduino's build does: `src/` and the sketch with its own flags, `.S` through the preprocessor."""
    (tmp_path / "Arduino.h").write_text(ARDUINO)
    (tmp_path / "core.cpp").write_text(
        '#include "Arduino.h"\nPort Serial;\nvoid setup();\nvoid loop();\n'
        "int main() { setup(); for (;;) loop(); }\n"
    )
    common = [f"-mmcu={part}", "-DF_CPU=16000000L", "-g", "-Os", "-Wall", "-Wextra", "-Werror", "-flto"]
    common += ["-ffunction-sections", "-fdata-sections", "-I", library / "src", "-I", tmp_path]
    c, cpp, objects = ["avr-gcc", "-std=gnu11"], ["avr-g++", "-std=gnu++11"], []
    compilers = {".S": ["avr-gcc", "-x", "assembler-with-cpp"], ".c": c, ".cpp": cpp}
    compilers[".ino"] = [*cpp, "-x", "c++", "-include", "Arduino.h"]
    sketch = library / "examples" / "selftest" / "selftest.ino"
    for file in (*sorted((library / "src").iterdir()), sketch, tmp_path / "core.cpp"):
        if compiler := compilers.get(file.suffix):
            objects.append(tmp_path / f"{file.name}.o")
            run(*compiler, *common, "-c", file, "-o", objects[-1], cwd=tmp_path)
    run("avr-gcc", *common, "-Wl,--gc-sections", "-o", "sketch.elf", *objects, cwd=tmp_path)
    assert " T it_hash\n" in symbols(tmp_path / "sketch.elf")


def test_by_a_preset_of_cmake(library):
    run("cmake", "--preset", "avr", cwd=library)
    run("cmake", "--build", "--preset", "avr", cwd=library)
    assert " T it_hash\n" in symbols(library / "build" / "libit.a")


def test_what_arduino_and_platformio_read(library):
    assert arduino.faults(library) == platformio.faults(library) == []
    properties = arduino.properties(library)
    assert (properties["name"], properties["architectures"], properties["includes"]) == ("it", "avr", "it.h")
    described = json.loads((library / "library.json").read_text())
    assert (described["name"], described["version"]) == ("it", properties["version"])
    assert (described["platforms"], described["headers"]) == ("atmelavr", "it.h")


@pytest.mark.parametrize(
    "found, other, fault",
    [
        ("url=", "uri=", "url is missing"),
        ("url=https:", "url=see:", "url"),
        ("name=it", "name=it!", "name"),
        ("name=it", "name=Arduino it", "name"),
        ("version=0.1.0", "version=first", "version"),
        ("category=Data Processing", "category=Cryptography", "category"),
        ("architectures=avr", "architectures=", "architectures is missing"),
        ("includes=it.h", "includes=at.h", "src/at.h"),
        ("maintainer=", "maintainer", "line"),
    ],
)
def test_the_checker_of_arduino_libraries_notices(library, found, other, fault):
    file = library / "library.properties"
    assert found in file.read_text()
    file.write_text(file.read_text().replace(found, other, 1))
    assert any(fault in line for line in arduino.faults(library))


@pytest.mark.parametrize(
    "key, value",
    [
        ("name", "a/b"),
        ("version", "one"),
        ("license", "free"),
        ("headers", "at.h"),
        ("homepage", "here"),
        ("platforms", 3),
        ("keywords", "x" * 60),
        ("author", "nobody"),
        ("description", None),
    ],
)
def test_the_checker_of_platformio_libraries_notices(library, key, value):
    file = library / "library.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), key: value}))
    assert any(key in line for line in platformio.faults(library))


def test_every_primitive_has_the_page_of_its_standard():
    pages = {page_of(load_primitive(primitive)) for primitive in primitive_ids()}
    assert ANY not in pages and all(page.startswith("https://") for page in pages)
