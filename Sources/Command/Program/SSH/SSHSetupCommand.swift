import ArgumentParser
import CoreClient
import Cryptography
import Glibc
import LinuxSystem
import Protocol

struct SSHCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "ssh", "Set ssh and Git up for the keys of the enclave.",
    subcommands: [SSHSetupCommand.self])
}

private struct SSHSetupCommand: KeychainCommand {
  static let configuration = CommandConfiguration(
    "setup", "Show what ssh and Git need, and write it after a yes.",
    discussion: """
      Without a terminal and without --yes it only shows. Git signs by SSH_AUTH_SOCK, which your \
      shell must set to the socket of authcore agent ssh.
      """)

  @Flag(help: "Write without asking.")
  var yes = false

  @Option(
    help: ArgumentHelp("Git signs with this key. Without it: the first.", valueName: "name"),
    completion: .keys)
  var key: String?

  @OptionGroup var options: GlobalOptions

  func run(_ invocation: Invocation) throws(Failure) {
    guard let folder = ClientEnvironment.current().sshFolder,
      let home = EnvironmentVariable.value(of: "HOME"), home.hasPrefix("/")
    else { throw .usage("HOME is not set to a folder") }
    let found: FoundKeys = try invocation.openSession().ask(FindKeys(query: KeyQuery()))
    let keys = found.keys.filter { SSHSetupText.isFileName($0.name) }
    for key in found.keys where !SSHSetupText.isFileName(key.name) {
      invocation.output.note("\(key.name.printable) is left out: its name suits no file.")
    }
    guard let signing = key ?? keys.first?.name, keys.contains(where: { $0.name == signing }) else {
      let called = key.map { " called \($0.printable)" } ?? ""
      throw Failure(
        .errSecItemNotFound, "There is no key\(called) that ssh can use",
        hint: "authcore key create NAME makes one.")
    }
    var lines: [String] = []
    var files: [SetupFile] = []
    for key in keys {
      let line = KeyText.sshLine(key, try key.point().openSSHBlob)
      lines.append(line)
      files.append(SetupFile(path: "\(folder)/\(key.name).pub", lines: [line], isOurs: true))
    }
    let signer = SSHSetupText.signer(
      email: try ProgramLaunch(
        path: "/usr/bin/env", arguments: ["git", "config", "--global", "user.email"]
      ).output())
    files.append(
      SetupFile(
        path: folder + "/allowed_signers",
        lines: lines.map { "\(signer) namespaces=\"git\" \($0)" }, isOurs: false))
    files.append(
      SetupFile(path: home + "/.ssh/config", lines: SSHSetupText.clientLines, isOurs: false))
    let settings = SSHSetupText.gitSettings(folder: folder, key: signing)
    let shown =
      files.flatMap { [$0.path.printable] + $0.lines.map { "    " + $0 } }
      + settings.map { "git config --global " + $0.joined(separator: " ").printable }
    invocation.output.result(
      .object(["files": .array(files.map { .string($0.path) })]), shown)
    if !yes {
      guard let terminal = invocation.terminal, terminal.isInForeground else {
        return invocation.output.note("Nothing was written. Add --yes to write it.")
      }
      try invocation.confirm("This is written.", typing: "yes", otherwise: nil)
    }
    let contents = try files.map { file throws(Failure) in try file.content() }
    var parent = ""
    for part in folder.split(separator: "/") {
      parent += "/" + part
      _ = unsafe mkdir(parent, 0o700)
    }
    _ = unsafe mkdir(home + "/.ssh", 0o700)
    for (file, content) in zip(files, contents) { try file.write(content) }
    for setting in settings { try Self.setGit(setting) }
  }

  private static func setGit(_ setting: [String]) throws(Failure) {
    var launch = ProgramLaunch(
      path: "/usr/bin/env", arguments: ["git", "config", "--global"] + setting)
    launch.environment = EnvironmentVariable.entries
    let end: ProcessEnd?
    do throws(SystemCallError) {
      end = try launch.start().wait()
    } catch {
      throw Failure(.unsupported, "git cannot be started: \(error.reason)")
    }
    guard end == .exited(0) else {
      throw Failure(
        .unsupported, "git did not take \(setting[0]); the files are written",
        hint: "Run the git commands above yourself.")
    }
  }
}

/// A file that `setup` writes.
private struct SetupFile {
  let path: String
  let lines: [String]
  /// Whether the whole file is ours; else a marked block is.
  let isOurs: Bool

  /// The whole new content. A file that cannot be read is not replaced.
  func content() throws(Failure) -> [UInt8] {
    if isOurs { return Array((lines.joined(separator: "\n") + "\n").utf8) }
    var status = stat()
    var text = ""
    if unsafe stat(path, &status) == 0 {
      guard let bytes = PAMServiceFile.bytes(at: path),
        let read = String(validating: bytes, as: UTF8.self)
      else { throw .usage("\(path.printable) cannot be read as text; nothing was written") }
      text = read
    } else if errno != ENOENT {
      throw .usage("\(path.printable) cannot be read; nothing was written")
    }
    guard let new = SSHSetupText.settingBlock(lines, in: text) else {
      throw .usage("\(path.printable) has no line \"\(SSHSetupText.end)\"; nothing was written")
    }
    return Array(new.utf8)
  }

  /// Replaces what a symbolic link leads to, and keeps the file's rights.
  func write(_ content: [UInt8]) throws(Failure) {
    var target = path
    if let resolved = unsafe realpath(path, nil) {
      target = unsafe String(cString: resolved)
      unsafe free(resolved)
    }
    var status = stat()
    let exists = unsafe stat(target, &status) == 0
    let file = try WholeFile(target, replaces: true, hint: nil)
    if exists { try file.take(rightsOf: status) }
    try file.write(content.span)
    try file.finish()
  }
}
