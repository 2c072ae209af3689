"""Getting toolchains: all or nothing, once, and one clear line where it fails.

The toy source package builds in a moment; what it does in `make` is up to the test.
"""

import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from tightfit.errors import UsageError, WorkError
from tightfit.targets import debian, load_target, recipes, toolchain
from tightfit.targets.recipes import Package, Source, Staged, Toolchain, load_toolchain

GOOD = "cp $(SOURCE)/toy.sh built"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TIGHTFIT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TIGHTFIT_TOY_BIN", raising=False)
    return tmp_path / "cache" / "toolchains"


@pytest.fixture
def source(tmp_path):
    """Writes the toy source package with this `make` recipe; gives the recipe that builds it."""

    def write(make: str = GOOD, version: str = "1.0") -> Source:
        folder = tmp_path / f"toy-{version}"
        folder.mkdir(exist_ok=True)
        (folder / "VERSION").write_text(f"{version}\n")
        (folder / "toy.sh").write_text(f"#!/bin/sh\necho toy {version}\n")
        (folder / "toy.sh").chmod(0o755)
        configure = folder / "configure"
        configure.write_text(
            '#!/bin/sh\n[ "$1" = --target=toy ] || exit 1\n'
            f"""printf 'SOURCE := %s\\nall:\\n\\t%s\\n' "$(dirname "$0")" '{make}' > Makefile\n"""
        )
        configure.chmod(0o755)
        tarball = tmp_path / "toy.tar.xz"
        subprocess.run(["tar", "cJf", tarball, folder.name], cwd=tmp_path, check=True)
        return Source(
            name="toy-tools",
            version="1.0",
            version_in="VERSION",
            package="toy-source",
            tarball=str(tarball.relative_to("/")),
            needs={"make": "make"},
            configure=("--target=toy",),
            make=("all",),
            steps=3,
            install={"built": "toy-as"},
        )

    return write


@pytest.fixture
def ensure(monkeypatch):
    def run(recipe, progress=lambda *_: None):
        monkeypatch.setattr(
            toolchain, "load_toolchain", lambda _: Toolchain("toy", {"as": "toy-as"}, (recipe,))
        )
        return toolchain.ensure("toy", progress)

    return run


def left(cache: Path) -> list[str]:
    """What is in the cache apart from locks and logs."""
    return sorted(path.name for path in cache.iterdir() if path.suffix not in (".lock", ".log"))


def test_a_build_ends_in_the_cache_and_only_there(cache, source, ensure):
    recipe = source()
    reports = []
    (folder,) = ensure(recipe, lambda *report: reports.append(report))
    assert left(cache) == [recipe.folder] == [folder.name]
    assert toolchain.tool("toy", "as") == folder / "bin" / "toy-as"
    assert toolchain.version("toy", "as") == "toy 1.0"
    assert reports[-1] == ("building toy-tools 1.0", 4, 4)
    assert ensure(recipe) == []


def test_what_an_outer_make_was_told_is_not_for_the_build(cache, source, ensure, monkeypatch):
    monkeypatch.setenv("MAKEFLAGS", "n -- SOURCE=/nowhere")
    assert len(ensure(source())) == 1


def test_a_damaged_cache_is_mended(cache, source, ensure):
    recipe = source()
    (folder,) = ensure(recipe)
    (folder / "bin" / "toy-as").unlink()
    assert ensure(recipe) == [folder]
    assert toolchain.version("toy", "as") == "toy 1.0"


def test_a_changed_recipe_is_a_new_folder(source):
    recipe = source()
    assert replace(recipe, configure=("--target=toy", "-O")).folder != recipe.folder
    assert replace(recipe, steps=99).folder == recipe.folder


def test_every_make_has_the_variables_of_the_recipe(cache, source, ensure):
    """GCC's makefiles hide the variables of their command line from every `make` that they run."""
    recipe = source('echo "all: ; cp $(SOURCE)/\\$$(FILE) built" | MAKEFLAGS= make -f -')
    ensure(replace(recipe, variables=("FILE = toy.sh", "EMPTY =")))
    assert toolchain.version("toy", "as") == "toy 1.0"


@pytest.mark.parametrize(
    "make, complaint",
    [
        ("@echo toy.c:3: error: no such thing; false", "failed at `make`: toy.c:3: error: no such thing"),
        ("true; no-such-ranlib built", "failed at `make`: .*no-such-ranlib: .*not found"),
        ("true", "the build made no built"),
    ],
)
def test_a_failed_build_leaves_nothing_but_its_log(cache, source, ensure, make, complaint):
    with pytest.raises(WorkError, match=complaint) as raised:
        ensure(source(make))
    assert "\n" not in str(raised.value)
    assert left(cache) == []
    with pytest.raises(WorkError, match="toy-as is missing; `tightfit setup toy` gets it"):
        toolchain.tool("toy", "as")
    assert len(ensure(source())) == 1
    assert list(cache.glob("*.log")) == []


def test_another_version_than_the_recipe_says_is_refused(cache, source, ensure):
    with pytest.raises(WorkError, match="toy.tar.xz is not version 1.0"):
        ensure(source(version="1.1"))
    assert left(cache) == []


def test_an_interrupt_ends_the_build_and_leaves_nothing(cache, source, ensure, tmp_path):
    recipe = source(f"echo begun; sleep 200; touch {tmp_path}/finished")
    begun = time.monotonic()

    def interrupt(what: str, done: int, total: int) -> None:
        if what.startswith("building") and done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ensure(recipe, interrupt)
    assert time.monotonic() - begun < 150
    assert left(cache) == []
    assert not (tmp_path / "finished").exists()


def spawn(recipe: Source) -> subprocess.Popen:
    """Another process that gets the toy tools."""
    code = (
        "from tightfit.targets import toolchain\n"
        "from tightfit.targets.recipes import Source, Toolchain\n"
        f"recipe = Source(**{asdict(recipe)!r})\n"
        "toolchain.load_toolchain = lambda _: Toolchain('toy', {'as': 'toy-as'}, (recipe,))\n"
        "toolchain.ensure('toy')\n"
    )
    return subprocess.Popen([sys.executable, "-c", code], cwd=Path(__file__).parents[2])


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 300
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} did not appear"
        time.sleep(0.05)


INSTALL = """toy-as > built; chmod +x built
install: stamp
\tmkdir -p $(DESTDIR)/stage/lib/toy
\techo of a library > $(DESTDIR)/stage/lib/toy/toy.h
\techo toys > $(DESTDIR)/stage/lib/toy/inner.h"""


@pytest.fixture
def compiler(cache, source, monkeypatch):
    """The recipe of a tool that is built with `as`, calls it, and has a header of its own; `as` is there."""
    tools = {"as": "toy-as", "cc": "toy-cc"}

    def known(*recipes: Source) -> None:
        monkeypatch.setattr(toolchain, "load_toolchain", lambda _: Toolchain("toy", tools, recipes))

    assembler = source()
    known(assembler)
    toolchain.ensure("toy")
    recipe = replace(
        source(INSTALL),
        name="toy-compiler",
        install={"built": "toy-cc"},
        calls={"toy/bin/as": "as"},
        staged=Staged(("stamp",), ("install",), ("lib/toy",), {"lib/toy/toy.h": "inner.h"}),
        step="compilers",
    )
    known(assembler, recipe)
    return recipe


def test_a_compiler_is_a_step_of_its_own_and_finds_what_it_calls(cache, compiler, tmp_path):
    assert toolchain.ensure("toy") == []
    with pytest.raises(WorkError, match="toy-cc is missing; `tightfit setup --compilers toy` gets it"):
        toolchain.tool("toy", "cc")
    (folder,) = toolchain.ensure("toy", step="compilers")
    assert (folder / "bin/toy-cc").read_text() == "toy 1.0\n"  # what `as` said while it was built
    assert (folder / "lib/toy/toy.h").read_text() == "toys\n"
    assert toolchain.ensure("toy", step="tests") == []
    cache.rename(tmp_path / "moved")
    linked = tmp_path / "moved" / folder.name / "toy/bin/as"
    assert subprocess.check_output([linked], text=True) == "toy 1.0\n"


def test_a_compiler_is_linked_anew_where_the_tools_went_elsewhere(cache, compiler, tmp_path, monkeypatch):
    (folder,) = toolchain.ensure("toy", step="compilers")
    (cache / toolchain.tool("toy", "as").parents[1].name).rename(tmp_path / "elsewhere")
    monkeypatch.setenv("TIGHTFIT_TOY_BIN", f"{tmp_path}/elsewhere/bin")
    before = (folder / "bin/toy-cc").stat().st_mtime_ns
    assert toolchain.ensure("toy", step="compilers") == [folder]
    assert (folder / "toy/bin/as").resolve() == tmp_path / "elsewhere/bin/toy-as"
    assert (folder / "bin/toy-cc").stat().st_mtime_ns == before


def test_a_compiler_whose_build_lacks_a_part_leaves_nothing(cache, compiler, monkeypatch):
    lacking = replace(compiler, staged=replace(compiler.staged, keep=("lib/toy", "lib/none")))
    monkeypatch.setattr(toolchain, "load_toolchain", lambda _: Toolchain("toy", {"as": "toy-as"}, (lacking,)))
    monkeypatch.setenv("TIGHTFIT_TOY_BIN", str(next(cache.glob("toy-tools*/bin"))))
    with pytest.raises(WorkError, match="building toy-compiler 1.0 failed: the build made no stage/lib/none"):
        toolchain.ensure("toy", step="compilers")
    assert not (cache / lacking.folder).exists()


def test_a_killed_build_leaves_nothing_half_usable(cache, source, ensure, tmp_path):
    begun = tmp_path / "begun"
    child = spawn(source(f"{GOOD}; touch {begun}; sleep 5"))
    wait_for(begun)
    child.send_signal(signal.SIGKILL)
    child.wait()
    recipe = source()
    assert not (cache / recipe.folder).exists()
    assert left(cache) != []
    ensure(recipe)
    assert left(cache) == [recipe.folder]


def test_two_at_once_build_once(cache, source, tmp_path):
    recipe = source(f"echo built >> {tmp_path}/count; sleep 1; {GOOD}")
    children = [spawn(recipe), spawn(recipe)]
    assert [child.wait() for child in children] == [0, 0]
    assert (tmp_path / "count").read_text() == "built\n"
    assert left(cache) == [recipe.folder]


def test_waiting_for_another_process_is_said(cache, source, ensure, tmp_path):
    begun = tmp_path / "begun"
    recipe = source(f"touch {begun}; sleep 2; {GOOD}")
    child = spawn(recipe)
    wait_for(begun)
    reports = []
    ensure(recipe, lambda *report: reports.append(report))
    assert child.wait() == 0
    assert reports == [(f"waiting for another process that makes {recipe.folder}", 0, 1)]


def test_a_cache_that_cannot_be_written_is_one_line(source, ensure, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("TIGHTFIT_CACHE", str(tmp_path / "file"))
    with pytest.raises(WorkError, match="cannot get toy-tools: .*Not a directory"):
        ensure(source())


def test_a_missing_build_tool_is_one_line_with_the_command(cache, source, ensure, monkeypatch):
    monkeypatch.setattr(debian, "is_root", lambda: False)
    recipe = replace(source(), needs={"make": "make", "no-such-tool": "flex", "nor-this": "bison"})
    with pytest.raises(
        WorkError, match="needs flex bison; `sudo apt-get install flex bison` gets what is missing"
    ):
        ensure(recipe)


def test_a_missing_header_is_one_line_with_the_command(cache, source, ensure, monkeypatch):
    monkeypatch.setattr(debian, "is_root", lambda: False)
    recipe = replace(
        source(), needs={"no-such-tool": "flex"}, headers={"stdio.h": "libc6-dev", "no-such.h": "libgmp-dev"}
    )
    with pytest.raises(WorkError, match="needs flex libgmp-dev; `sudo apt-get install flex libgmp-dev` gets"):
        ensure(recipe)


def test_root_installs_a_missing_build_tool(cache, source, ensure, monkeypatch):
    asked = []
    monkeypatch.setattr(debian, "is_root", lambda: True)
    monkeypatch.setattr(debian, "install", lambda packages: asked.extend(packages))
    ensure(replace(source(), needs={"no-such-tool": "flex"}))
    assert asked == ["flex"]


@pytest.mark.parametrize("outdated", [False, True])
def test_lists_of_packages_are_refreshed_where_that_helps(monkeypatch, outdated):
    asked = []

    def apt_get(*words):
        asked.append(words[0])
        if outdated and "update" not in asked:
            raise WorkError("404")

    monkeypatch.setattr(debian, "apt_get", apt_get)
    debian.install(["flex"])
    assert asked == (["install", "update", "install"] if outdated else ["install"])


@pytest.fixture
def archive(tmp_path, monkeypatch):
    """A package that apt-get downloads: what `fill` puts in its tree."""
    commands = tmp_path / "commands"
    commands.mkdir()

    def pack(files: dict[str, bytes]) -> None:
        tree = tmp_path / "package"
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "DEBIAN" / "control").write_text(
            "Package: toy\nVersion: 1\nArchitecture: all\nMaintainer: toy <a@b.org>\nDescription: toy\n"
        )
        for name, data in files.items():
            file = tree / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            file.chmod(0o755)
        subprocess.run(["dpkg-deb", "--build", tree, tmp_path / "toy.deb"], check=True, capture_output=True)
        apt_get = commands / "apt-get"
        apt_get.write_text(
            f'#!/bin/sh\ncase "$*" in *download*) cp {tmp_path}/toy.deb . ;; *) exit 1 ;; esac\n'
        )
        apt_get.chmod(0o755)

    monkeypatch.setattr(debian, "is_root", lambda: False)
    monkeypatch.setenv("PATH", f"{commands}:{os.environ['PATH']}")
    return pack


def test_without_root_a_source_package_is_unpacked_into_the_cache(cache, source, ensure, archive, tmp_path):
    recipe = source()
    tarball = Path("/") / recipe.tarball
    archive({"usr/src/toy-elsewhere.tar.xz": tarball.read_bytes()})
    ensure(replace(recipe, tarball="usr/src/toy-elsewhere.tar.xz"))
    assert (cache / "toy-source.root/usr/src/toy-elsewhere.tar.xz").exists()
    assert toolchain.version("toy", "as") == "toy 1.0"


def test_without_root_a_package_is_unpacked_into_the_cache(cache, ensure, archive):
    archive({"usr/bin/as-of-toy": b"#!/bin/sh\necho packaged toy\n"})
    (folder,) = ensure(Package("toy-tools", ("toy",), {"usr/bin/as-of-toy": "toy-as"}))
    assert toolchain.tool("toy", "as") == folder / "bin" / "toy-as"
    assert toolchain.version("toy", "as") == "packaged toy"


def test_without_root_a_package_that_lacks_its_libraries_is_named(cache, ensure, archive):
    archive({"usr/bin/as-of-toy": b"#!/bin/sh\nexit 127\n"})
    with pytest.raises(WorkError, match="toy lacks libraries; `sudo apt-get install toy` installs both"):
        ensure(Package("toy-tools", ("toy",), {"usr/bin/as-of-toy": "toy-as"}))
    assert not (cache / "toy-tools").exists()


LIBRARY = Package("toy-lib", ("toy",), files=("opt/toy/toy.h",), step="tests")


def test_without_root_the_files_of_a_package_are_under_its_root(cache, ensure, archive, monkeypatch):
    archive({"opt/toy/toy.h": b"int toy;\n"})
    assert ensure(LIBRARY) == []  # only the tests need it
    with pytest.raises(WorkError, match="toy is missing; `tightfit setup --tests toy` gets it"):
        toolchain.package_root("toy", "lib")
    assert len(toolchain.ensure("toy", step="tests")) == 1
    assert (toolchain.package_root("toy", "lib") / "opt/toy/toy.h").read_text() == "int toy;\n"
    assert toolchain.ensure("toy", step="tests") == []
    with pytest.raises(UsageError, match="target toy has no package 'bil'; there are: lib"):
        toolchain.package_root("toy", "bil")


def test_a_tool_that_only_the_tests_need_is_asked_for_by_name(cache, source, ensure):
    recipe = replace(source(), step="tests")
    assert ensure(recipe) == []
    with pytest.raises(WorkError, match="toy-as is missing; `tightfit setup --tests toy` gets it"):
        toolchain.tool("toy", "as")
    assert replace(recipe, step="tools").folder == recipe.folder
    assert len(toolchain.ensure("toy", step="tests")) == 1


def test_a_package_that_lacks_the_tool_leaves_nothing(cache, ensure, archive):
    archive({"usr/bin/other": b""})
    recipe = Package("toy-tools", ("toy",), {"usr/bin/as-of-toy": "toy-as"})
    with pytest.raises(WorkError, match="toy of this system has no usr/bin/as-of-toy"):
        ensure(recipe)
    assert not (cache / recipe.folder).exists()


def test_apt_complains_in_its_own_words(monkeypatch, tmp_path):
    with pytest.raises(WorkError, match="`sh -c .*` failed: E: Unable to locate package"):
        debian.run(["sh", "-c", "echo E: Unable to locate package >&2; exit 100"], tmp_path)
    with pytest.raises(WorkError, match="no-such-command is not on PATH"):
        debian.run(["no-such-command"], tmp_path)


def test_a_named_folder_comes_first_and_path_last(cache, source, ensure, tmp_path, monkeypatch):
    for place in ("named", "on-path"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "toy-as").write_text("#!/bin/sh\n")
        (tmp_path / place / "toy-as").chmod(0o755)
    recipe = source()
    ensure(recipe)
    monkeypatch.setenv("PATH", f"{tmp_path}/on-path:{os.environ['PATH']}")
    assert toolchain.tool("toy", "as") == cache / recipe.folder / "bin/toy-as"
    monkeypatch.setenv("TIGHTFIT_TOY_BIN", f"{tmp_path}/named")
    assert toolchain.tool("toy", "as") == tmp_path / "named/toy-as"
    monkeypatch.delenv("TIGHTFIT_TOY_BIN")
    monkeypatch.setenv("TIGHTFIT_CACHE", f"{tmp_path}/empty")
    assert toolchain.tool("toy", "as") == tmp_path / "on-path/toy-as"


def test_an_unknown_tool_is_a_wrong_question():
    with pytest.raises(UsageError, match="target rl78 has no tool 'gcc'; there are: as, ld"):
        toolchain.tool("rl78", "gcc")


@pytest.mark.parametrize("target, version", [("avr", "2.26"), ("msp430", "2.40"), ("rl78", "2.40")])
def test_the_tools_of_this_machine_are_the_ones_of_the_recipes(target, version):
    tools = {tool.tool: tool for tool in toolchain.status(target)}
    assert [name for name, tool in tools.items() if tool.path is None] == []
    assert version in tools["as"].version
    assert version in tools["ld"].version


def test_a_recipe_that_is_not_there(tmp_path, monkeypatch):
    target = replace(load_target("msp430"), folder=tmp_path)
    text = (load_target("msp430").folder / "toolchain.yaml").read_text()
    (tmp_path / "toolchain.yaml").write_text(text.replace("  gdb-sim:", "  gdb-simm:"))
    monkeypatch.setattr(recipes, "load_target", lambda _: target)
    complaint = "toolchain.yaml: sources: expected one of binutils, gdb-sim, gcc, found 'gdb-simm'"
    with pytest.raises(UsageError, match=complaint):
        load_toolchain.__wrapped__("msp430")


def test_machines_share_a_recipe():
    recipes = [load_toolchain(target).recipe_of(f"{target}-elf-as") for target in ("rl78", "msp430")]
    assert recipes[0].steps == recipes[1].steps and recipes[0].version == recipes[1].version
    assert [recipe.configure[0] for recipe in recipes] == ["--target=rl78-elf", "--target=msp430-elf"]
    assert load_toolchain("msp430").recipe_of("msp430-elf-run").install == {
        "sim/msp430/run": "msp430-elf-run"
    }


def test_a_machine_adds_to_the_variables_of_a_recipe():
    compilers = [load_toolchain(target).recipe_of(f"{target}-elf-gcc") for target in ("rl78", "msp430")]
    shared = compilers[0].variables
    assert "RANLIB_FOR_TARGET=true" in shared
    assert compilers[1].variables[: len(shared)] == shared
    assert "MULTILIB_DIRNAMES=430" in compilers[1].variables[len(shared) :]
