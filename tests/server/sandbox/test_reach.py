"""Programs that look around: what they see, and what the kernel refuses them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.server.sandbox.conftest import Run
from tests.server.sandbox.run_one import TRY

SYSCALL = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(name, *arguments):
    ctypes.set_errno(0)
    result = libc.syscall(*arguments)
    print(name, result, os.strerror(ctypes.get_errno()))
"""


def test_files_of_the_host_are_not_there(run: Run, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("the server's")
    there = ["/etc/shadow", "/root", "/home", str(secret), str(Path(__file__).parents[3]), "/var", "/sys", "/opt"]
    outcome = run(
        f"import os\nprint([path for path in {there} if os.path.exists(path)])\nprint(sorted(os.listdir('/')))"
    )
    assert outcome.lines[0] == "[]"
    known = {"bin", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "program", "run", "sbin", "tmp", "usr"}
    assert set(eval(outcome.lines[1])) <= known


def test_etc_has_what_libc_needs_and_no_more(run: Run) -> None:
    outcome = run("import os, pwd\nprint(pwd.getpwuid(os.getuid()).pw_name)\nprint(sorted(os.listdir('/etc')))")
    assert outcome.lines[0] == "bot"
    known = {"alternatives", "group", "hosts", "ld.so.cache", "localtime", "nsswitch.conf", "passwd"}
    assert set(eval(outcome.lines[1])) <= known


def test_the_environment_is_what_was_set_for_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FARFALIA_ADMIN_TOKEN", "the server's")
    outcome = run("import os\nprint(sorted(os.environ))", environment={"FARFALIA_TOKEN": "its own"})
    expected = ["FARFALIA_TOKEN", "HOME", "LANG", "PATH", "PWD", "TMPDIR"]
    assert [name for name in eval(outcome.lines[0]) if name != "LC_CTYPE"] == expected  # Python sets that one itself


def test_any_value_reaches_the_environment_as_it_is(run: Run) -> None:
    value = "it's $HOME `id` \"\\ \n ü"
    outcome = run("import os\nprint(ascii(os.environ['VALUE']))", environment={"VALUE": value})
    assert outcome.lines == [ascii(value)]


def test_a_library_to_preload_is_not_loaded_before_the_program(run: Run) -> None:
    outcome = run("print('here')", environment={"LD_PRELOAD": "/program/evil.so"})
    loads = [line for line in outcome.lines if "evil.so" in line]
    assert outcome.lines[-1] == "here"
    assert len(loads) == 1  # by the program, not by the steps that lead to it


def test_no_process_of_others_is_seen(run: Run) -> None:
    outcome = run(
        "import os\nfor pid in filter(str.isdigit, os.listdir('/proc')):\n"
        "    print(open(f'/proc/{pid}/comm').read().strip())"
    )
    assert set(outcome.lines) == {"bwrap", "python3"}


@pytest.mark.parametrize("signals", [False, True])
def test_tokens_of_other_programs_are_out_of_reach(run: Run, signals: bool) -> None:
    environment = {"PATH": os.environ["PATH"], "FARFALIA_TOKEN": "another's"}
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env=environment) as other:
        source = TRY + f"import os\nattempt('environ', lambda: open('/proc/{other.pid}/environ').read())\n"
        if signals:
            source += f"attempt('kill', lambda: os.kill({other.pid}, 9))\n"
        outcome = run(source)
        assert other.poll() is None
        other.communicate(b"\n")
    assert outcome.lines == ["environ FileNotFoundError", *(["kill ProcessLookupError"] if signals else [])]


def test_a_token_is_in_no_list_of_processes(run: Run) -> None:
    outcome = run(
        "import os\nfor pid in filter(str.isdigit, os.listdir('/proc')):\n"
        "    print(pid, 'hush' in open(f'/proc/{pid}/cmdline').read())\n"
        "try: print('hush' in open('/proc/1/environ').read())\nexcept OSError: print(False)",
        environment={"FARFALIA_TOKEN": "hush"},
    )
    assert not [line for line in outcome.lines if line.endswith("True")]


def test_there_is_no_network(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as redis:  # any port of this machine, such as that of Redis
        port = redis.getsockname()[1]
        outcome = run(
            TRY
            + "import socket\n"
            + f"attempt('loopback', lambda: socket.create_connection(('127.0.0.1', {port}), 2))\n"
            + "attempt('internet', lambda: socket.create_connection(('1.1.1.1', 443), 2))\n"
            + "attempt('name', lambda: socket.getaddrinfo('example.com', 443))\n"
            + "attempt('raw', lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))\n"
            + "attempt('vsock', lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM))\n"
            + "attempt('crypto', lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET))\n"
        )
    assert outcome.lines[:3] == ["loopback ConnectionRefusedError", "internet OSError", "name gaierror"]
    assert outcome.lines[3:] == ["raw OSError", "vsock OSError", "crypto OSError"]


def test_abstract_sockets_of_the_host_are_not_there(run: Run) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("\0farfalia-test-abstract")
        listener.listen()
        outcome = run(
            TRY + "import socket\n"
            "attempt('abstract', lambda: socket.socket(socket.AF_UNIX).connect('\\0farfalia-test-abstract'))"
        )
    assert outcome.lines == ["abstract ConnectionRefusedError"]


def test_the_socket_of_the_server_is_reached(run: Run, short_folder: Path) -> None:
    path = short_folder / "server.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        path.chmod(0o666)
        listener.listen()
        outcome = run(
            "import socket\nserver = socket.socket(socket.AF_UNIX)\nserver.connect('/run/farfalia.sock')\nprint('in')",
            socket=path,
        )
    assert outcome.lines == ["in"]
    assert outcome.address == "unix:/run/farfalia.sock"


#: By name: number on x86-64, arguments.
CALLS = {
    "ptrace": (101, 0, 0, 0, 0),
    "mount": (165, b"none", b"/tmp", b"tmpfs", 0, 0),
    "umount2": (166, b"/tmp", 0),
    "unshare": (272, 0x10000000),
    "clone with a user namespace": (56, 0x10000000 | 17, 0, 0, 0, 0),
    "setns": (308, 0, 0),
    "keyctl": (250, 0, 0),
    "add_key": (248, b"user", b"name", b"text", 4, -2),
    "bpf": (321, 0, 0, 0),
    "perf_event_open": (298, 0, 0, -1, -1, 0),
    "userfaultfd": (323, 0),
    "kexec_load": (246, 0, 0, 0, 0),
    "init_module": (175, 0, 0, b""),
    "reboot": (169, 0xFEE1DEAD, 672274793, 0, 0),
    "swapon": (167, b"/tmp", 0),
    "process_vm_readv": (310, 1, 0, 0, 0, 0, 0),
    "process_vm_writev": (311, 1, 0, 0, 0, 0, 0),
    "io_uring_setup": (425, 8, 0),
    "a personality": (135, 0x40000),
    "typing into a terminal": (16, 0, 0x5412, b"x"),
}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers of system calls are those of x86-64")
def test_system_calls_that_are_refused(run: Run) -> None:
    outcome = run(SYSCALL + "\n".join(f"call({name!r}, *{call})" for name, call in CALLS.items()))
    assert outcome.lines == [f"{name} -1 Operation not permitted" for name in CALLS]


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers of system calls are those of x86-64")
def test_clone3_is_unknown_so_that_libraries_take_clone(run: Run) -> None:
    outcome = run(
        SYSCALL + "call('clone3', 435, 0, 0)\nimport threading\nthreading.Thread(target=print, args=('t',)).start()"
    )
    assert outcome.lines == ["clone3 -1 Function not implemented", "t"]


def test_no_capabilities_and_no_way_to_get_some(run: Run) -> None:
    outcome = run(
        "print(*[line.split()[1] for line in open('/proc/self/status') if line.startswith(('Cap', 'NoNew'))])"
    )
    assert outcome.lines == [" ".join(["0000000000000000"] * 5 + ["1"])]


def test_what_a_program_writes_cannot_command_a_terminal(run: Run) -> None:
    outcome = run(
        r"print('\x1b[31mred\x1b[0m \x1b]0;title\x07\x1b[2J\x9b1mplain\r\x00 \u202eright')"
        "\nimport sys; print('error', file=sys.stderr, flush=True)"
    )
    assert sorted(outcome.lines) == ["error", "red plain \ufffd \ufffdright"]
