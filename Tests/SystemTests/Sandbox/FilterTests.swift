import CSystemCalls
import Glibc
import Protocol
import TestSupport
import Testing

@testable import Sandbox

@Suite("System call filters")
struct FilterTests {
  private let here = UInt64(bitPattern: Int64(AT_FDCWD))

  @Test("another architecture is killed, whatever the number", arguments: Confinement.allCases)
  func otherArchitecture(confinement: Confinement) {
    var interpreter = FilterInterpreter(.running(confinement))
    interpreter.architecture = 0x4000_0003  // AUDIT_ARCH_I386
    #expect(interpreter.verdict(SYS_read) == .kill)
  }

  #if arch(x86_64)
    @Test("the x32 numbers are killed")
    func x32() {
      #expect(FilterInterpreter(.running(.closed)).verdict(SYS_read | 0x4000_0000) == .kill)
    }
  #endif

  @Test(
    "no running plugin gets sockets of the network, programs, processes, tracing or new rights",
    arguments: [Confinement.closed, .readsFiles, .opensDevices, .enclave])
  func neverAllowed(confinement: Confinement) {
    let interpreter = FilterInterpreter(.running(confinement))
    #expect(interpreter.verdict(SYS_socket, UInt64(AF_INET)) == .trap)
    #expect(interpreter.verdict(SYS_socket, UInt64(AF_UNIX)) == .trap)
    for call in [
      SYS_connect, SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_kill,
      SYS_pidfd_getfd, SYS_bpf, SYS_unshare, SYS_setns, SYS_mount, SYS_keyctl, SYS_seccomp,
      SYS_landlock_restrict_self, SYS_setuid, SYS_capset, SYS_init_module, SYS_reboot, 9999,
    ] {
      #expect(interpreter.verdict(call) == .trap, "\(SystemCall.name(of: call))")
    }
  }

  @Test("K2: the witness of who is calling reads, and writes no file and into no process")
  func witness() {
    let interpreter = FilterInterpreter(.observing())
    for call in [SYS_pidfd_open, SYS_readlinkat, SYS_statx, SYS_read, SYS_sendmsg, SYS_poll] {
      #expect(interpreter.verdict(call) == .allow, "\(SystemCall.name(of: call))")
    }
    #expect(interpreter.verdict(SYS_openat, here, 0, UInt64(O_RDONLY | O_CLOEXEC)) == .allow)
    for flags in [O_WRONLY, O_RDWR, O_RDONLY | O_CREAT] {
      #expect(interpreter.verdict(SYS_openat, here, 0, UInt64(flags)) == .fail(EACCES))
    }
    for call in [
      SYS_process_vm_readv, SYS_process_vm_writev, SYS_ptrace, SYS_pidfd_getfd,
      SYS_pidfd_send_signal, SYS_kill, SYS_execve, SYS_socket, SYS_connect, SYS_unlinkat,
      SYS_setns, SYS_capset,
    ] {
      #expect(interpreter.verdict(call) == .trap, "\(SystemCall.name(of: call))")
    }
  }

  @Test("a thread may be started, a process may not")
  func threads() {
    let interpreter = FilterInterpreter(.running(.closed))
    // CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND, and CLONE_THREAD (linux/sched.h).
    let sharing: UInt64 = 0xf00
    let thread = sharing | 0x10000
    #expect(interpreter.verdict(SYS_clone, thread) == .allow)
    #expect(interpreter.verdict(SYS_clone, UInt64(SIGCHLD)) == .trap)
    #expect(interpreter.verdict(SYS_clone, sharing) == .trap)
    #expect(interpreter.verdict(SYS_clone3) == .fail(ENOSYS))
  }

  @Test(
    "memory that holds code comes only while loading, and only as it lies in a file",
    arguments: Confinement.allCases)
  func code(confinement: Confinement) {
    let executable = UInt64(PROT_READ | PROT_EXEC)
    let written = UInt64(PROT_READ | PROT_WRITE)
    let loading = FilterInterpreter(.loading(confinement))
    let running = FilterInterpreter(.running(confinement))
    let ofFile = UInt64(MAP_PRIVATE | MAP_FIXED)
    #expect(loading.verdict(SYS_mmap, 0, 4096, executable, ofFile) == .allow)
    for flags in [MAP_SHARED, MAP_PRIVATE | MAP_ANONYMOUS, MAP_SHARED | MAP_PRIVATE] {
      #expect(
        loading.verdict(SYS_mmap, 0, 4096, executable, UInt64(flags)) == .fail(EACCES))
    }
    #expect(loading.verdict(SYS_mmap, 0, 4096, written | executable, ofFile) == .fail(EACCES))
    #expect(running.verdict(SYS_mmap, 0, 4096, executable, ofFile) == .fail(EACCES))
    for filter in [loading, running] {
      #expect(filter.verdict(SYS_mprotect, 0, 4096, executable) == .fail(EACCES))
      #expect(filter.verdict(SYS_mprotect, 0, 4096, written) == .allow)
      #expect(filter.verdict(SYS_mmap, 0, 4096, written) == .allow)
      #expect(filter.verdict(SYS_mmap, 0, 4096, written, UInt64(MAP_ANONYMOUS)) == .allow)
    }
  }

  @Test("while loading a filter comes for all threads at once, or not at all")
  func filters() {
    let loading = FilterInterpreter(.loading(.closed))
    let (install, forAll) = (UInt64(SECCOMP_SET_MODE_FILTER), UInt64(SECCOMP_FILTER_FLAG_TSYNC))
    #expect(loading.verdict(SYS_seccomp, install, forAll) == .allow)
    #expect(loading.verdict(SYS_seccomp, install, 0) == .fail(EPERM))
    #expect(
      loading.verdict(SYS_seccomp, install, forAll | UInt64(SECCOMP_FILTER_FLAG_NEW_LISTENER))
        == .fail(EPERM))
  }

  @Test("files are opened as each kind of plugin may")
  func files() {
    func openings(_ confinement: Confinement, loading: Bool = false) -> [Bool] {
      let filter: SystemCallFilter =
        loading ? .loading(confinement) : .running(confinement, folder: 5)
      let interpreter = FilterInterpreter(filter)
      return [O_RDONLY, O_RDWR, O_WRONLY | O_CREAT, O_RDONLY | O_TRUNC].map {
        interpreter.verdict(SYS_openat, here, 0, UInt64($0)) == .allow
      }
    }
    #expect(openings(.closed, loading: true) == [true, false, false, false])
    #expect(openings(.closed) == [false, false, false, false])
    #expect(openings(.readsFiles) == [true, false, false, false])
    #expect(openings(.opensDevices) == [true, true, false, false])
    #expect(openings(.enclave) == [false, false, false, false])
  }

  @Test("the enclave opens, renames and removes below one descriptor")
  func enclaveFolder() {
    let interpreter = FilterInterpreter(.running(.enclave, folder: 5))
    let writing = UInt64(O_WRONLY | O_CREAT)
    #expect(interpreter.verdict(SYS_openat, 5, 0, writing) == .allow)
    #expect(interpreter.verdict(SYS_openat, 6, 0, writing) == .fail(EACCES))
    #expect(interpreter.verdict(SYS_unlinkat, 5) == .allow)
    #expect(interpreter.verdict(SYS_unlinkat, here) == .fail(EACCES))
    #expect(interpreter.verdict(SYS_renameat2, 5, 0, 5) == .allow)
    #expect(interpreter.verdict(SYS_renameat2, 5, 0, 6) == .fail(EACCES))
  }

  @Test("what runs later is never stricter while loading", arguments: Confinement.allCases)
  func loadingIsWider(confinement: Confinement) {
    let loading = FilterInterpreter(.loading(confinement))
    let running = FilterInterpreter(.running(confinement, folder: 5))
    for call in 0..<500 as Range<Int32> where running.verdict(call) == .allow {
      #expect(loading.verdict(call) == .allow, "\(SystemCall.name(of: call))")
    }
  }

  @Test("signals reach nobody else, and the reporting handler stays")
  func signals() {
    let interpreter = FilterInterpreter(.running(.closed))
    #expect(interpreter.verdict(SYS_tgkill, UInt64(getpid())) == .allow)
    #expect(interpreter.verdict(SYS_tgkill, 1) == .trap)
    #expect(interpreter.verdict(SYS_rt_sigaction, UInt64(SIGSYS)) == .fail(EPERM))
    #expect(interpreter.verdict(SYS_rt_sigaction, UInt64(SIGALRM)) == .allow)
    #expect(interpreter.verdict(SYS_fcntl, 3, UInt64(F_SETOWN)) == .fail(EPERM))
    #expect(interpreter.verdict(SYS_prctl, UInt64(PR_SET_PDEATHSIG)) == .fail(EPERM))
    #expect(interpreter.verdict(SYS_prctl, UInt64(PR_SET_DUMPABLE)) == .fail(EPERM))
  }

  @Test("a limit may be read, not set: both halves of the pointer count")
  func limits() {
    let interpreter = FilterInterpreter(.running(.closed))
    #expect(interpreter.verdict(SYS_prlimit64, 0, 0, 0) == .allow)
    #expect(interpreter.verdict(SYS_prlimit64, 0, 0, 0x1000) == .fail(EPERM))
    #expect(interpreter.verdict(SYS_prlimit64, 0, 0, 1 << 40) == .fail(EPERM))
  }

  @Test("only who opens devices hears of them, over netlink")
  func devices() {
    let netlink = UInt64(AF_NETLINK)
    #expect(FilterInterpreter(.running(.opensDevices)).verdict(SYS_socket, netlink) == .allow)
    #expect(FilterInterpreter(.running(.readsFiles)).verdict(SYS_socket, netlink) == .trap)
    let terminalInput: UInt64 = 0x5412  // TIOCSTI
    #expect(
      FilterInterpreter(.running(.readsFiles)).verdict(SYS_ioctl, 0, terminalInput) == .fail(ENOTTY)
    )
  }
}
