"""The seccomp filter: what a program in a sandbox may not ask the kernel for.

It allows the rest, since runtimes differ in what they need. What is refused manages the machine, looks into other
processes, makes namespaces, keeps memory that no limit counts, or is seldom used and often attacked.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from functools import cache

from farfalia_server.contract.errors import ProgramError

#: Refused with EPERM, whatever their arguments.
REFUSED = (
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp", "pidfd_getfd", "perf_event_open"),
    *("mount", "umount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "mount_setattr"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "open_by_handle_at", "name_to_handle_at", "fanotify_init"),
    *("unshare", "setns", "keyctl", "add_key", "request_key", "bpf", "userfaultfd", "lookup_dcookie"),
    *("io_uring_setup", "io_uring_enter", "io_uring_register", "vmsplice"),
    *("kexec_load", "kexec_file_load", "init_module", "finit_module", "delete_module", "create_module"),
    *("reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "nfsservctl", "syslog", "vhangup"),
    *("settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "stime", "sethostname", "setdomainname"),
    *("iopl", "ioperm", "modify_ldt", "uselib", "ustat", "sysfs", "_sysctl", "get_kernel_syms", "query_module"),
    *("mbind", "migrate_pages", "move_pages", "set_mempolicy", "sched_setattr", "sched_setscheduler"),
    # Memory that outlives what maps it, which no look at processes finds.
    *("shmget", "shmat", "shmctl", "semget", "msgget", "mq_open", "memfd_secret"),
)
#: Refused as if the kernel did not have them: libraries then do without.
UNKNOWN = ("clone3", "memfd_create")
#: CLONE_NEW…: time, mount, cgroup, uts, ipc, user, pid, net.
_NAMESPACES = (0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)
#: ioctls that put words into a terminal's mouth: TIOCSTI, TIOCLINUX.
_TERMINAL = (0x5412, 0x541C)
_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10
_INT = 0xFFFFFFFF


@cache
def filter_program(*, unix_only: bool = False) -> bytes:
    """Return the filter as the kernel takes it; ProgramError if libseccomp is missing.

    Sockets are those of Unix, and of IPv4 and IPv6 unless `unix_only`, which is for programs that share our network.
    """
    try:
        import pyseccomp  # not at the top: it looks for the library when it is imported
    except (ImportError, RuntimeError) as error:
        raise ProgramError("libseccomp is missing; Debian has it in the package libseccomp2") from error
    refuse, unknown = pyseccomp.ERRNO(errno.EPERM), pyseccomp.ERRNO(errno.ENOSYS)
    other_family = pyseccomp.ERRNO(errno.EAFNOSUPPORT)
    rules = pyseccomp.SyscallFilter(pyseccomp.ALLOW)
    for action, names in ((refuse, REFUSED), (unknown, UNKNOWN)):
        for name in names:
            with suppress(OSError, ValueError):  # some machines have never had it, and some libraries do not know it
                rules.add_rule(action, name)
    for flag in _NAMESPACES[1:]:  # a signal's number is where the flag for time would be
        rules.add_rule(refuse, "clone", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, flag, flag))
    for request in _TERMINAL:
        rules.add_rule(refuse, "ioctl", pyseccomp.Arg(1, pyseccomp.MASKED_EQ, _INT, request))
    rules.add_rule(refuse, "personality", pyseccomp.Arg(0, pyseccomp.NE, 0))
    allowed = {_AF_UNIX} if unix_only else {_AF_UNIX, _AF_INET, _AF_INET6}
    for family in set(range(_AF_INET6 + 1)) - allowed:
        rules.add_rule(other_family, "socket", pyseccomp.Arg(0, pyseccomp.MASKED_EQ, _INT, family))
    # What is larger as 64 bits is a larger family, too, or one with bits that the kernel does not read.
    rules.add_rule(other_family, "socket", pyseccomp.Arg(0, pyseccomp.GT, _AF_INET6))
    with os.fdopen(os.memfd_create("seccomp"), "w+b") as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()
