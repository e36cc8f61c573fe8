package import Foundation

/// A user namespace, in which anybody can be anybody; it ends with the value. Core and commands share
/// one, since a core does not see the programs of processes in another.
///
/// Root is nobody in it, so that no plugin below the temporary folder would be loaded: its programs
/// lie in a folder of its own.
package final class UserNamespace: Sendable {
  private let holder: Int32
  private static let products = "/mnt/products"

  /// Only root of a namespace mounts (mount(8)): the user is somebody in a second one inside.
  private static let script = """
    mount -t tmpfs -o mode=755 none /mnt && mkdir \(products) && mount --bind "$1" \(products) &&
    exec unshare --user --map-user=$2 --map-group=$2 --mount sh -c 'echo begun; exec sleep 1000'
    """

  /// Begins one in which this process's user has another number.
  /// - Throws: if the machine allows none.
  package init(of user: UInt32) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    process.arguments = [
      "--user", "--map-root-user", "--mount", "sh", "-c", Self.script, "sh", Products.folder.path,
      "\(user)",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    holder = process.processIdentifier
    guard output.fileHandleForReading.availableData == Data("begun\n".utf8) else {
      process.waitUntilExit()
      throw CocoaError(.featureUnsupported)
    }
  }

  /// A command line that runs a program of this build in it.
  package func running(_ program: String) -> [String] {
    [
      "nsenter", "--user", "--mount", "--preserve-credentials", "--target=\(holder)",
      Self.products + "/" + program,
    ]
  }

  deinit { kill(holder, SIGKILL) }
}

/// A copy of a state folder that an earlier version wrote, read as the user it belongs to.
package final class StateFixture: Sendable {
  /// An item as the fixture lists it.
  package struct Item: Sendable {
    package let service: String
    package let accessible: String
    /// Empty if nothing guards it.
    package let access: String

    package var secret: Data { Data("secret of \(service)".utf8) }
  }

  /// The user whose items they are: the command's items are those of its core's user (decision
  /// 0028).
  private static let owner: UInt32 = 65534

  /// Whether this machine lets the tests be that user.
  package static let canBeRead: Bool = {
    guard getuid() != owner else { return true }
    return (try? UserNamespace(of: owner)) != nil
  }()

  /// Where this process becomes that user, or nil if it is that user.
  private let namespace: UserNamespace?
  package let items: [Item]
  private let folder: TemporaryFolder

  /// Copies `Fixtures/NAME` and sets the modes that git drops.
  package init(_ name: String) throws {
    let fixtures = Products.sources.appendingPathComponent("Tests/EndToEndTests/Fixtures")
    folder = try TemporaryFolder()
    namespace = getuid() == Self.owner ? nil : try UserNamespace(of: Self.owner)
    for source in ["state-common", name].map(fixtures.appendingPathComponent) {
      for entry in try FileManager.default.contentsOfDirectory(atPath: source.path) {
        try? FileManager.default.removeItem(atPath: folder.file(entry))
        try FileManager.default.copyItem(
          atPath: source.appendingPathComponent(entry).path, toPath: folder.file(entry))
      }
    }
    items = try Self.rows(of: folder.file("items.tsv")).map {
      Item(service: $0[0], accessible: $0[1], access: $0[2] == "-" ? "" : $0[2])
    }
    let state = folder.url.appendingPathComponent("state")
    try Self.setMode(0o700, of: state.path)
    for entry in try FileManager.default.subpathsOfDirectory(atPath: state.path) {
      let file = state.appendingPathComponent(entry)
      let isFolder = try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
      try Self.setMode(isFolder ? 0o700 : 0o600, of: file.path)
    }
  }

  /// The fields of each line of a table.
  private static func rows(of file: String) throws -> [[String]] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
      $0.components(separatedBy: "\t")
    }
  }

  private static func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// The state folder.
  package var home: String { folder.file("state") }

  /// A file with its passcode in a line.
  package var passcodeFile: String { folder.file("passcode") }

  /// A file with the password of the items that ask for one, in a line, or nil if none does.
  package var appPasswordFile: String? {
    let file = folder.url.appendingPathComponent("app-password")
    return FileManager.default.fileExists(atPath: file.path) ? file.path : nil
  }

  /// A private key as the fixture lists it.
  package struct Key: Sendable {
    package let name: String
    /// Empty if nothing guards it.
    package let access: String
    /// PEM.
    package let publicKey: Data
  }

  /// Its private keys; none in a folder of a version that had none.
  package func keys() throws -> [Key] {
    let file = folder.file("keys.tsv")
    guard FileManager.default.fileExists(atPath: file) else { return [] }
    return try Self.rows(of: file).map {
      Key(
        name: $0[0], access: $0[1] == "-" ? "" : $0[1],
        publicKey: Data(base64Encoded: $0[2]) ?? Data())
    }
  }

  /// Touches of the finger that was enrolled from pictures, which its enrollment did not see.
  package var touches: String {
    "replay:tape=\(folder.file("touches.tape"))"
  }

  /// The paths of the pictures ``touches`` plays.
  package func pictures() throws -> [String] {
    let tape = try String(
      contentsOf: folder.url.appendingPathComponent("touches.tape"), encoding: .utf8)
    return tape.split(separator: "\n").compactMap { line in
      line.hasPrefix("touch ")
        ? folder.url.appendingPathComponent(String(line.dropFirst("touch ".count))).path : nil
    }
  }

  /// A tape of one picture.
  package func tape(_ picture: String) throws -> String {
    let text = "authcore-tape 1\nppi 500\ntouch \(picture)\n"
    let file = try folder.write("\(UUID().uuidString).tape", Data(text.utf8))
    return "replay:tape=\(file.path)"
  }

  /// Runs `authcore --json` on the folder, with the fixture's passcode if `knowsPasscode`.
  package func authcore(_ arguments: String..., knowsPasscode: Bool = false) throws -> CommandRun {
    try authcore(arguments, knowsPasscode: knowsPasscode)
  }

  /// The same, with something to read.
  package func authcore(
    _ arguments: [String], input: Data = Data(), knowsPasscode: Bool
  ) throws -> CommandRun {
    var all = namespace?.running("authcore") ?? [Products.program("authcore")]
    all += ["--json", "--home", home] + arguments
    if knowsPasscode { all += ["--passcode-file", passcodeFile] }
    return try run("/usr/bin/env", all, input: input)
  }

  deinit { _ = try? authcore("quit") }
}
