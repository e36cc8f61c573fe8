import CSystemCalls
import Glibc
package import Protocol

extension SystemCallFilter {
  /// For loading a plugin: what it may do later, and reading files and mapping code from them. The
  /// next filter comes on top; of two filters the stricter verdict counts, so this one allows
  /// whatever ``running(_:folder:)`` does.
  package static func loading(_ confinement: Confinement) -> SystemCallFilter {
    var filter = running(confinement)
    // The loader maps code from files. It changes the protection of code only to write it or for an
    // executable stack, and neither is supported.
    let codeOfFile: [ArgumentTest] = [
      .lacks(PROT_WRITE, argument: 2), .lacks(MAP_SHARED | MAP_ANONYMOUS, argument: 3),
    ]
    filter.set(
      .whenAny([[.lacks(PROT_EXEC, argument: 2)], codeOfFile], .allow, otherwise: .fail(EACCES)),
      for: [SYS_mmap])
    switch confinement {
    case .opensDevices, .watchesDevices: break
    // libusb makes its eventfds and timers when a transport is entered, and none later.
    case .usesDevice, .readsFiles:
      filter.allowReadingFiles()
      filter.allow(SYS_eventfd2, SYS_timerfd_create, SYS_pipe2)
    case .off, .closed, .enclave: filter.allowReadingFiles()
    }
    // Landlock holds the enclave to its folder; the next filter checks the descriptor.
    if confinement == .enclave {
      filter.allow(SYS_openat, SYS_unlinkat, SYS_renameat, SYS_renameat2)
    }
    filter.allow(
      SYS_landlock_create_ruleset, SYS_landlock_add_rule, SYS_landlock_restrict_self)
    // Only for all threads at once: a thread with its own filter could not be given the next one.
    let forAllThreads: [ArgumentTest] = [
      .equals(Int32(SECCOMP_SET_MODE_FILTER), argument: 0),
      .equals(Int32(SECCOMP_FILTER_FLAG_TSYNC), argument: 1),
    ]
    filter.set(.when(forAllThreads, .allow, otherwise: .fail(EPERM)), for: [SYS_seccomp])
    return filter
  }

  /// For a running plugin.
  /// - Parameters:
  ///   - confinement: the kind of plugin.
  ///   - folder: the descriptor of the enclave's folder, with ``Confinement/enclave``.
  /// - Returns: the filter, not yet installed.
  package static func running(_ confinement: Confinement, folder: Int32 = -1) -> SystemCallFilter {
    var filter = common()
    let noNewCode = FilterRule.when(
      [.lacks(PROT_EXEC, argument: 2)], .allow, otherwise: .fail(EACCES))
    filter.set(noNewCode, for: [SYS_mmap, SYS_mprotect])
    switch confinement {
    case .off, .closed: break
    case .usesDevice: filter.allowUSB()
    case .readsFiles:
      filter.allowReadingFiles()
      filter.allowUSB()
    case .watchesDevices, .opensDevices: filter.allowDevices()
    case .enclave: filter.allowFolder(folder)
    }
    return filter
  }

  /// For a process that observes others: it opens processes and reads files.
  package static func observing() -> SystemCallFilter {
    var filter = running(.closed)
    filter.allowReadingFiles()
    filter.allow(SYS_pidfd_open)
    return filter
  }

  /// Memory, time, threads, and input and output over open descriptors.
  private static func common() -> SystemCallFilter {
    var filter = SystemCallFilter()
    filter.allow(
      SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_preadv,
      SYS_pwritev, SYS_close, SYS_lseek, SYS_fstat, SYS_ppoll, SYS_pselect6, SYS_epoll_ctl,
      SYS_epoll_pwait, SYS_recvmsg, SYS_sendmsg, SYS_recvfrom, SYS_sendto, SYS_shutdown,
      SYS_getsockopt, SYS_dup)
    filter.allow(
      SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_mlock, SYS_mlock2, SYS_munlock, SYS_mincore,
      SYS_membarrier)
    filter.allow(
      SYS_futex, SYS_sched_yield, SYS_sched_getaffinity, SYS_set_robust_list, SYS_rseq,
      SYS_set_tid_address, SYS_exit, SYS_exit_group, SYS_rt_sigprocmask, SYS_rt_sigreturn,
      SYS_sigaltstack, SYS_restart_syscall, SYS_rt_sigsuspend, SYS_rt_sigtimedwait)
    filter.allow(
      SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
      SYS_getrandom, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid,
      SYS_getegid, SYS_uname, SYS_sysinfo, SYS_getrusage, SYS_times, SYS_getcpu)
    #if arch(x86_64)
      filter.allow(
        SYS_poll, SYS_pause, SYS_select, SYS_epoll_wait, SYS_time, SYS_getrlimit, SYS_arch_prctl)
      filter.fail(
        SYS_open, SYS_creat, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents,
        with: EACCES)
      filter.fail(
        SYS_pipe, SYS_eventfd, SYS_signalfd, SYS_epoll_create, SYS_inotify_init, SYS_dup2,
        with: EPERM)
    #endif
    filter.setConditionalRules()
    // Libraries ask for these and manage without.
    filter.fail(
      SYS_openat, SYS_openat2, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getdents64,
      SYS_getcwd, SYS_statfs, SYS_fstatfs, SYS_getxattr, SYS_lgetxattr, SYS_fgetxattr, with: EACCES)
    filter.fail(
      SYS_pipe2, SYS_eventfd2, SYS_signalfd4, SYS_timerfd_create, SYS_epoll_create1,
      SYS_inotify_init1, SYS_memfd_create, SYS_dup3, SYS_setrlimit, SYS_setpriority,
      SYS_sched_setscheduler, SYS_sched_setaffinity, SYS_sched_setparam, SYS_sched_getattr,
      SYS_sched_setattr, SYS_personality,
      SYS_timer_create, SYS_setitimer, with: EPERM)
    filter.fail(
      SYS_clone3, SYS_io_uring_setup, SYS_memfd_secret, SYS_userfaultfd, SYS_get_mempolicy,
      SYS_set_mempolicy, SYS_mbind, SYS_pkey_alloc, with: ENOSYS)
    return filter
  }

  private mutating func setConditionalRules() {
    // A thread, never a process. clone3 hides its flags behind a pointer; glibc falls back to clone
    // after ENOSYS.
    set(.when([.has(Self.thread, argument: 0)], .allow, otherwise: .trap), for: [SYS_clone])
    // The handler that reports trapped calls stays.
    set(
      .when([.equals(SIGSYS, argument: 0)], .fail(EPERM), otherwise: .allow),
      for: [SYS_rt_sigaction])
    // raise(3) and abort(3).
    set(.when([.equals(getpid(), argument: 0)], .allow, otherwise: .trap), for: [SYS_tgkill])
    // Limits may be read.
    set(
      .when(ArgumentTest.isNull(argument: 2), .allow, otherwise: .fail(EPERM)), for: [SYS_prlimit64]
    )
    // stat(2) of an open descriptor.
    set(
      .when([.has(Self.emptyPath, argument: 3)], .allow, otherwise: .fail(EACCES)),
      for: [SYS_newfstatat])
    set(
      .when([.has(Self.emptyPath, argument: 2)], .allow, otherwise: .fail(EACCES)), for: [SYS_statx]
    )
    // Not F_SETOWN, F_SETSIG and F_NOTIFY, which can send signals to other processes.
    let plain = [F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC]
    set(
      .whenOne(
        of: plain.map { UInt32(bitPattern: $0) }, argument: 1, .allow, otherwise: .fail(EPERM)),
      for: [SYS_fcntl])
    set(
      .whenOne(
        of: [UInt32(PR_SET_NAME), UInt32(PR_GET_NAME), UInt32(PR_GET_DUMPABLE), Self.nameMapping],
        argument: 0, .allow, otherwise: .fail(EPERM)),
      for: [SYS_prctl])
    set(
      .whenOne(of: Self.plainRequests, argument: 1, .allow, otherwise: .fail(ENOTTY)),
      for: [SYS_ioctl])
  }

  /// Whether a descriptor is a terminal, how much can be read, and whether it blocks.
  private static let plainRequests = [UInt32(TCGETS), UInt32(FIONREAD), UInt32(FIONBIO)]

  /// What libusb does with a USB device (linux/usbdevice_fs.h), and with its timer.
  private mutating func allowUSB() {
    set(
      .whenOne(
        of: Self.plainRequests + USBRequest.allCases.map(\.rawValue), argument: 1, .allow,
        otherwise: .fail(ENOTTY)),
      for: [SYS_ioctl])
    allow(SYS_timerfd_settime, SYS_timerfd_gettime)
  }

  private mutating func allowReadingFiles() {
    let writing = O_ACCMODE | O_CREAT | O_TRUNC | Self.temporaryFile
    set(
      .when([.lacks(writing, argument: 2)], .allow, otherwise: .fail(EACCES)), for: [SYS_openat])
    allow(
      SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getdents64,
      SYS_getcwd, SYS_statfs, SYS_fstatfs)
    #if arch(x86_64)
      set(
        .when([.lacks(writing, argument: 1)], .allow, otherwise: .fail(EACCES)), for: [SYS_open])
      allow(SYS_stat, SYS_lstat, SYS_access, SYS_readlink)
    #endif
  }

  /// For libraries that find and open devices themselves; Landlock restricts the files.
  private mutating func allowDevices() {
    allowReadingFiles()
    let creating = O_CREAT | O_TRUNC | Self.temporaryFile
    set(
      .when([.lacks(creating, argument: 2)], .allow, otherwise: .fail(EACCES)), for: [SYS_openat])
    allow(
      SYS_ioctl, SYS_pipe2, SYS_eventfd2, SYS_timerfd_create, SYS_timerfd_settime,
      SYS_timerfd_gettime, SYS_epoll_create1, SYS_inotify_init1, SYS_inotify_add_watch,
      SYS_inotify_rm_watch, SYS_dup3, SYS_bind, SYS_getsockname, SYS_setsockopt, SYS_flock)
    // The kernel and udev report devices by netlink.
    set(.when([.equals(AF_NETLINK, argument: 0)], .allow, otherwise: .trap), for: [SYS_socket])
    #if arch(x86_64)
      set(
        .when([.lacks(creating, argument: 1)], .allow, otherwise: .fail(EACCES)), for: [SYS_open])
      allow(SYS_pipe, SYS_eventfd, SYS_epoll_create, SYS_inotify_init, SYS_dup2)
    #endif
  }

  /// Files named relative to one folder; Landlock keeps absolute names and `..` inside it too.
  private mutating func allowFolder(_ folder: Int32) {
    let inFolder = FilterRule.when(
      [.equals(folder, argument: 0)], .allow, otherwise: .fail(EACCES))
    set(inFolder, for: [SYS_openat, SYS_unlinkat])
    let within: [ArgumentTest] = [.equals(folder, argument: 0), .equals(folder, argument: 2)]
    set(.when(within, .allow, otherwise: .fail(EACCES)), for: [SYS_renameat, SYS_renameat2])
    allow(SYS_fsync, SYS_fdatasync, SYS_ftruncate, SYS_flock)
  }

  // Constants whose macros Swift does not import, from bits/fcntl-linux.h, linux/sched.h and
  // linux/prctl.h.
  private static let temporaryFile: Int32 = 0o20_000_000  // __O_TMPFILE; O_DIRECTORY is fine
  private static let emptyPath: Int32 = 0x1000  // AT_EMPTY_PATH
  private static let thread: Int32 = 0x10000  // CLONE_THREAD
  private static let nameMapping: UInt32 = 0x5356_4d41  // PR_SET_VMA
}

/// The `ioctl(2)` requests of libusb for a USB device on a 64-bit machine (linux/usbdevice_fs.h).
enum USBRequest: UInt32, CaseIterable {
  case control = 0xC018_5500
  case bulk = 0xC018_5502
  case setInterface = 0x8008_5504
  case setConfiguration = 0x8004_5505
  case getDriver = 0x4104_5508
  case submit = 0x8038_550A
  case discard = 0x0000_550B
  case reap = 0x4008_550C
  case reapWithoutDelay = 0x4008_550D
  case claimInterface = 0x8004_550F
  case releaseInterface = 0x8004_5510
  case connectionInfo = 0x4008_5511
  case driverRequest = 0xC010_5512
  case reset = 0x0000_5514
  case clearHalt = 0x8004_5515
  case capabilities = 0x8004_551A
  case disconnectAndClaim = 0x8108_551B
  case speed = 0x0000_551F
}
