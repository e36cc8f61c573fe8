import CSystemCalls

/// A system call of this architecture.
package struct SystemCall: Hashable, Sendable {
  /// From `asm/unistd.h`.
  package let number: Int32
  /// From section 2 of the manual.
  package let name: String

  init(_ number: Int32, _ name: String) {
    (self.number, self.name) = (number, name)
  }

  /// "socket", or "number 999" for one without a name here.
  package static func name(of number: Int32) -> String {
    notable.first { $0.number == number }?.name ?? "number \(number)"
  }

  /// Calls that a driver is likely to be stopped at, for error messages.
  private static let notable: [SystemCall] =
    [
      .init(SYS_socket, "socket"), .init(SYS_socketpair, "socketpair"),
      .init(SYS_connect, "connect"), .init(SYS_bind, "bind"), .init(SYS_listen, "listen"),
      .init(SYS_accept, "accept"), .init(SYS_accept4, "accept4"),
      .init(SYS_setsockopt, "setsockopt"), .init(SYS_execve, "execve"),
      .init(SYS_execveat, "execveat"), .init(SYS_clone, "clone, to start a process"),
      .init(SYS_kill, "kill"), .init(SYS_tkill, "tkill"), .init(SYS_tgkill, "tgkill"),
      .init(SYS_pidfd_open, "pidfd_open"), .init(SYS_pidfd_send_signal, "pidfd_send_signal"),
      .init(SYS_pidfd_getfd, "pidfd_getfd"), .init(SYS_ptrace, "ptrace"),
      .init(SYS_process_vm_readv, "process_vm_readv"),
      .init(SYS_process_vm_writev, "process_vm_writev"), .init(SYS_wait4, "wait4"),
      .init(SYS_waitid, "waitid"), .init(SYS_mkdirat, "mkdirat"),
      .init(SYS_mknodat, "mknodat"), .init(SYS_unlinkat, "unlinkat"),
      .init(SYS_renameat, "renameat"), .init(SYS_renameat2, "renameat2"),
      .init(SYS_linkat, "linkat"), .init(SYS_symlinkat, "symlinkat"),
      .init(SYS_fchmod, "fchmod"), .init(SYS_fchmodat, "fchmodat"),
      .init(SYS_fchown, "fchown"), .init(SYS_fchownat, "fchownat"),
      .init(SYS_truncate, "truncate"), .init(SYS_ftruncate, "ftruncate"),
      .init(SYS_utimensat, "utimensat"), .init(SYS_chdir, "chdir"),
      .init(SYS_fchdir, "fchdir"), .init(SYS_chroot, "chroot"), .init(SYS_mount, "mount"),
      .init(SYS_umount2, "umount2"), .init(SYS_unshare, "unshare"), .init(SYS_setns, "setns"),
      .init(SYS_bpf, "bpf"), .init(SYS_perf_event_open, "perf_event_open"),
      .init(SYS_keyctl, "keyctl"), .init(SYS_add_key, "add_key"),
      .init(SYS_request_key, "request_key"), .init(SYS_setuid, "setuid"),
      .init(SYS_setgid, "setgid"), .init(SYS_setsid, "setsid"), .init(SYS_setpgid, "setpgid"),
      .init(SYS_capset, "capset"), .init(SYS_seccomp, "seccomp"), .init(SYS_umask, "umask"),
      .init(SYS_flock, "flock"), .init(SYS_fsync, "fsync"), .init(SYS_reboot, "reboot"),
      .init(SYS_init_module, "init_module"), .init(SYS_finit_module, "finit_module"),
      .init(SYS_io_setup, "io_setup"), .init(SYS_shmget, "shmget"), .init(SYS_msgget, "msgget"),
    ] + legacy

  #if arch(x86_64)
    private static let legacy: [SystemCall] = [
      .init(SYS_fork, "fork"), .init(SYS_vfork, "vfork"), .init(SYS_mkdir, "mkdir"),
      .init(SYS_rmdir, "rmdir"), .init(SYS_unlink, "unlink"), .init(SYS_rename, "rename"),
      .init(SYS_link, "link"), .init(SYS_symlink, "symlink"), .init(SYS_chmod, "chmod"),
      .init(SYS_chown, "chown"), .init(SYS_mknod, "mknod"), .init(SYS_alarm, "alarm"),
    ]
  #else
    private static let legacy: [SystemCall] = []
  #endif
}
