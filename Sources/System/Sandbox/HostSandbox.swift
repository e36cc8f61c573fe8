import CSystemCalls
import Glibc
import LinuxSystem
package import Protocol

/// The sandbox of a process that hosts one plugin, entered in two steps, each of which only takes
/// away.
///
/// 1. ``prepare(descriptorCount:mailbox:message:holdsSecrets:)`` and
///    ``enterLoading(files:folder:)``: before the plugin's file is loaded, because loading runs its
///    constructors. The plugin's file and libraries can be read and mapped as code, nothing else.
/// 2. ``close(folder:)``: before the plugin's entry is called.
///
/// A constructor runs in the same memory as the code that takes the second step and could keep it
/// from being taken. So the first step alone keeps files, sockets, programs and memory that is
/// written and executed away; the second takes away what only the loader needs.
///
/// Both are for a process with one thread: Landlock holds the calling thread and those it starts
/// later.
package struct HostSandbox: ~Copyable {
  /// What has been had so far.
  package private(set) var report: SandboxReport
  private var running = FileRules()
  /// What may be read while loading, held open until then. A rule means a file that the kernel has
  /// in mind; one of a shared folder (9p) is another as soon as nobody holds it.
  private var held: [HeldPath] = []
  /// The descriptors that the host knows of.
  private var knownDescriptors: Set<Int32> = []

  /// Status with which a host ends after a call that its sandbox forbids.
  package static let trappedStatus: Int32 = 99

  /// Bytes of addresses a host may have: what a frame of the largest size, a match and the
  /// libraries of a driver take together is less than half.
  private static let mostMemory: UInt = 1 << 30

  /// A sandbox to enter.
  package init(_ confinement: Confinement) { report = SandboxReport(confinement) }

  private var confinement: Confinement { report.confinement }

  /// Gives up descriptors, environment, capabilities, core dumps and the chance to gain privileges.
  /// Holds without a sandbox too.
  /// - Parameters:
  ///   - descriptorCount: descriptors from this number on are closed.
  ///   - mailbox: the socket that hears of a forbidden system call.
  ///   - message: the number of the message that tells it.
  ///   - holdsSecrets: false: without a sandbox the process can be traced, as umockdev needs.
  package mutating func prepare(
    descriptorCount: Int32, mailbox: Int32, message: UInt8, holdsSecrets: Bool
  ) {
    _ = ac_close_from(descriptorCount)
    // Comes with SIGKILL when the starter's thread ends, should the end of the mailbox go
    // unnoticed.
    _ = ac_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL), 0)
    report.lacks += ProcessHardening.apply(isTraceable: !report.isOn && !holdsSecrets)
    report.noNewPrivileges = ac_prctl(PR_GET_NO_NEW_PRIVS, 0, 0) == 1
    guard report.isOn else {
      report.lacks.append("the sandbox is switched off (AUTHCORE_SANDBOX=off)")
      return
    }
    EnvironmentVariable.removeAll()
    report.lacks += ProcessRights.giveUpEvenRoots()
    // The Swift runtime's handlers would start a program that prints where it crashed.
    for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
      signal(number, SIG_DFL)
    }
    // A write beyond the limit then fails with EFBIG.
    signal(SIGXFSZ, SIG_IGN)
    let largestFile: UInt = confinement == .enclave ? 256 << 20 : 0
    let limited =
      ProcessHardening.limit(RLIMIT_FSIZE, to: largestFile)
      && ProcessHardening.limit(RLIMIT_NOFILE, to: 256)
      && (Sanitizer.isPresent || ProcessHardening.limit(RLIMIT_AS, to: Self.mostMemory))
    // Each arena of malloc takes 64 MiB of addresses.
    ac_limit_arenas(2)
    if !limited { report.lacks.append("memory and files could not be limited") }
    if ac_report_trapped_calls(mailbox, message, Self.trappedStatus) != 0 {
      report.lacks.append("forbidden system calls end the host without being named")
    }
  }

  /// The first step: from here on these files and the system's libraries can be read, and the
  /// folder used.
  /// - Parameters:
  ///   - files: the canonical paths of the files that will be loaded.
  ///   - folder: the enclave's folder.
  package mutating func enterLoading(files: [String], folder: String? = nil) {
    guard report.isOn else { return }
    Self.grantRunning(confinement, folder: folder, in: &running)
    // Of two sets of rules both hold: this one grants whatever the next one does.
    var loading = running
    for path in files + Self.systemLibraries { loading.allow(.readFile, below: path) }
    held = files.compactMap(HeldPath.init)
    enforce(loading)
    install(.loading(confinement))
    noteDescriptors()
  }

  /// From here on the descriptors that are open count as known: those a transport made when it was
  /// entered.
  package mutating func noteDescriptors() { knownDescriptors = OpenDescriptors.numbers() }

  /// Descriptors that constructors left open since the last ``noteDescriptors()``, lowest first.
  /// What is opened while loading would outlast the sandbox that forbids opening it. None without a
  /// sandbox.
  package func strayDescriptors() -> [Int32] {
    report.isOn ? OpenDescriptors.numbers().subtracting(knownDescriptors).sorted() : []
  }

  /// The second step: from here on the plugin has what its kind needs and nothing else.
  ///
  /// - Parameter folder: the number of the descriptor of the enclave's folder.
  /// - Throws: `coreFailed` where something that could be had for the first step cannot be had for
  ///   this one: a constructor prevents it.
  package mutating func close(folder: Int32 = -1) throws(Failure) {
    guard report.isOn else { return }
    let first = report
    held = []
    enforce(running)
    install(.running(confinement, folder: folder))
    guard report.seccomp == first.seccomp, report.landlockVersion == first.landlockVersion else {
      throw Failure(
        .coreFailed,
        "The sandbox could not be closed after loading: \(report.lacks.last ?? "no reason given")",
        hint: "a constructor of the plugin is at fault: try another version of it")
    }
  }

  /// Notes whether the memory for secrets could be locked.
  package mutating func note(lockedMemory: Bool) {
    report.lockedMemory = lockedMemory
    if !lockedMemory {
      report.lacks.append(
        "memory for secrets could not be locked (ulimit -l); it may be swapped out")
    }
  }

  private mutating func enforce(_ rules: FileRules) {
    let lack: String
    do {
      report.landlockVersion = try rules.enforce()
      guard report.landlockVersion == 0 else { return }
      lack = "this kernel has no Landlock: only the system call filter keeps files away"
    } catch {
      report.landlockVersion = 0
      lack = "files are not held back by Landlock (\(error))"
    }
    if !report.lacks.contains(lack) { report.lacks.append(lack) }
  }

  private mutating func install(_ filter: SystemCallFilter) {
    do {
      try filter.install()
      report.seccomp = true
    } catch {
      report.seccomp = false
      report.lacks.append("system calls are not filtered (\(error))")
    }
  }

  private static func grantRunning(
    _ confinement: Confinement, folder: String?, in rules: inout FileRules
  ) {
    switch confinement {
    case .off, .closed, .usesDevice: break
    case .enclave: if let folder { rules.allow(.readAndWrite, below: folder) }
    case .readsFiles: for path in ordinaryFolders() { rules.allow(.read, below: path) }
    case .watchesDevices:
      for path in ["/sys", "/run/udev", "/etc/udev", "/usr/lib/udev", "/lib/udev"] {
        rules.allow(.read, below: path)
      }
    case .opensDevices:
      for path in ordinaryFolders() + ["/sys"] { rules.allow(.read, below: path) }
      rules.allow(.useDevices, below: "/dev")
    }
  }

  /// Everything directly below the root but the kernel's own: devices, processes and their memory.
  private static func ordinaryFolders() -> [String] {
    let kernels: Set<String> = [".", "..", "dev", "proc", "sys"]
    guard let listing = unsafe opendir("/") else { return [] }
    defer { unsafe closedir(listing) }
    var folders: [String] = []
    while let entry = unsafe readdir(listing) {
      // d_name ends with a NUL inside its 256 bytes (readdir(3)).
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !kernels.contains(name) { folders.append("/" + name) }
    }
    return folders
  }

  /// Where the loader finds libraries that it is not told the folder of.
  private static let systemLibraries = [
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache",
  ]
}

/// What a process that handles secrets gives up at once, whatever else it does.
package enum ProcessHardening {
  /// No core dumps, no tracing by others of the same user, no new privileges.
  /// - Parameter isTraceable: leaves the second out. A process that cannot be traced cannot look at
  ///   its own `/proc/self/fd`, where umockdev's preloaded library looks.
  /// - Returns: a sentence for each of these that could not be had.
  package static func apply(isTraceable: Bool = false) -> [String] {
    var lacks: [String] = []
    if !limit(RLIMIT_CORE, to: 0) { lacks.append("core dumps could not be switched off") }
    if isTraceable || ac_prctl(PR_SET_DUMPABLE, 0, 0) != 0 {
      lacks.append("other processes of this user can trace this one")
    }
    if ac_prctl(PR_SET_NO_NEW_PRIVS, 1, 0) != 0 {
      lacks.append("new privileges could not be ruled out")
    }
    return lacks
  }

  static func limit(_ resource: __rlimit_resource, to value: UInt) -> Bool {
    let resource = __rlimit_resource_t(resource.rawValue)
    var limit = rlimit()
    unsafe getrlimit(resource, &limit)
    let lower = min(value, limit.rlim_max)
    limit = rlimit(rlim_cur: lower, rlim_max: lower)
    return unsafe setrlimit(resource, &limit) == 0
  }
}

/// Whether this program was built with a sanitizer, whose shadow memory takes terabytes of
/// addresses.
enum Sanitizer {
  static var isPresent: Bool {
    let marks: [String] = ["__asan_init", "__tsan_init", "__hwasan_init"]
    // RTLD_DEFAULT is NULL: the program and what it is linked with.
    return marks.contains { unsafe dlsym(nil, $0) != nil }
  }
}
