import Glibc
import LinuxSystem
import Protocol

/// The file that whoever runs the machine writes the policy in.
struct PolicyFile: Sendable {
  /// Its path, absolute.
  let path: String

  /// Where systemd says that the configuration lies (`ConfigurationDirectory=`).
  init(_ variable: (String) -> String? = EnvironmentVariable.value(of:)) {
    let named = variable("CONFIGURATION_DIRECTORY")?.prefix { $0 != ":" } ?? ""
    path = (named.hasPrefix("/") ? String(named) : "/etc/authcore") + "/policy.toml"
  }

  private static let longest = 64 << 10

  /// What it says; where there is none, what holds without.
  /// - Throws: `coreFailed`: file, line and reason.
  func read() throws(Failure) -> MachinePolicy {
    guard let canonical = try canonicalPath() else { return .none }
    let number = unsafe open(
      canonical, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
    guard number >= 0 else {
      if errno == ENOENT { return .none }
      throw failure("it cannot be opened: \(SystemCallError("open").reason)")
    }
    let file = Descriptor(owning: number)
    var facts = stat()
    guard unsafe fstat(file.number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw failure("it is no file")
    }
    try requireRoot(facts, canonical)
    try requireRootsFolders(of: canonical)
    return try policy(in: file)
  }

  /// Where it lies behind all links; nil where it does not.
  private func canonicalPath() throws(Failure) -> String? {
    if let found = CanonicalPath.of(path) { return found }
    if errno == ENOENT { return nil }
    throw failure("it cannot be opened: \(SystemCallError("realpath").reason)")
  }

  /// The folders that lead to it: whoever may write into one puts another file in its place. Not in
  /// one that is sticky and root's, as the temporary folder, but for the file's own.
  private func requireRootsFolders(of file: String) throws(Failure) {
    var folder = file
    var isOwn = true
    while folder != "/", let slash = folder.lastIndex(of: "/") {
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
      var facts = stat()
      guard unsafe lstat(folder, &facts) == 0 else {
        throw failure("its folder \(folder) cannot be examined: \(SystemCallError("lstat").reason)")
      }
      let isSticky = facts.st_uid == 0 && facts.st_mode & S_ISVTX != 0
      if isOwn || !isSticky { try requireRoot(facts, folder) }
      isOwn = false
    }
  }

  private func requireRoot(_ facts: stat, _ place: String) throws(Failure) {
    guard !RootOwnedPath.isRootAlone(facts) else { return }
    let remedy = facts.st_uid == 0 ? "chmod go-w \(place)" : "chown root \(place)"
    throw failure("somebody besides root may change \(place); run: \(remedy)")
  }

  private func policy(in file: borrowing Descriptor) throws(Failure) -> MachinePolicy {
    guard let bytes = DescriptorBytes.read(from: file.number, limit: Self.longest) else {
      throw failure("it cannot be read: \(SystemCallError("read").reason)")
    }
    guard bytes.count <= Self.longest else {
      throw failure("it is longer than \(Self.longest) bytes")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure("it is no UTF-8 text")
    }
    do throws(PolicyText.Problem) {
      return try MachinePolicy(text)
    } catch {
      throw Failure(
        .coreFailed, "\(path):\(error.line): \(error.reason)",
        hint: "docs/administration.md says what a policy holds; systemctl reload authcored reads it"
      )
    }
  }

  private func failure(_ reason: String) -> Failure {
    Failure(.coreFailed, "\(path): \(reason)", hint: "see docs/administration.md")
  }
}
