import BuildIdentity
import Glibc
import LinuxSystem
package import Protocol

/// Finds `authcored`, which is beside the running program if that is one of ours.
package enum CoreProgram {
  /// The absolute path beside the running program, whether or not the file exists.
  package static func path() -> String { folder() + "/" + name }

  /// The folder of the running program (`/proc/self/exe`, proc(5)).
  package static func folder() -> String {
    guard let path = RunningExecutable.ofThisProcess()?.path,
      let slash = path.lastIndex(of: UInt8(ascii: "/"))
    else { return "/usr/bin" }
    return slash == 0 ? "/" : String(decoding: path[..<slash], as: UTF8.self)
  }

  private static let name = "authcored"
  /// The variable that names the program, for development.
  private static let variable = "AUTHCORE_CORE"
  /// The path under a prefix (scripts/install).
  private static let installed = "/lib/authcore/bin/" + name

  /// Finds `authcored` for any program. The candidates are, in order: the value of `AUTHCORE_CORE`;
  /// the path that the libraries were built for; beside the running program; with the `authcore` of
  /// `PATH`; under the usual prefixes.
  /// - Throws: `untrustedPlugin` if somebody else can change the file that `AUTHCORE_CORE` names or
  ///   `PATH` finds; `coreFailed` if there is none.
  package static func find() throws(Failure) -> String {
    if let named = EnvironmentVariable.value(of: variable), !named.isEmpty {
      guard named.hasPrefix("/") else {
        throw Failure(
          .coreFailed, "\(variable) is not an absolute path: \(named)",
          hint: "let it name authcored, as \(variable)=/usr/local\(installed)")
      }
      return try TrustedFile(checking: named, missing: .coreFailed).path
    }
    let candidates =
      [BuildIdentity.coreProgram, path()].compactMap(\.self) + besideCommand()
      + ["/usr/local", "/usr"].map { $0 + installed }
    guard let found = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw Failure(
        .coreFailed, "authcored, which serves the keychain, was not found",
        hint: "Install authcore, or name authcored with \(variable)=/path/to/authcored.")
    }
    return try TrustedFile(checking: found, missing: .coreFailed).path
  }

  private static func besideCommand() -> [String] {
    let folders = EnvironmentVariable.value(of: "PATH")?.split(separator: ":") ?? []
    return folders.compactMap { folder in
      guard folder.hasPrefix("/"), let path = CanonicalPath.of(folder + "/authcore") else {
        return nil
      }
      return path.lastIndex(of: "/").map { path[..<$0] + "/" + name }
    }
  }
}

extension CoreProgram {
  /// Turns this process into the core of a state folder, on the caller's streams (`execve(2)`).
  /// - Returns: why it failed; else it does not return.
  package static func become(home: String, lockAfterSeconds: UInt32?) -> Failure {
    let arguments =
      ["--home", home] + (lockAfterSeconds.map { ["--lock-after", String($0)] } ?? [])
    return become(name, arguments, CoreStarter.environment)
  }

  /// Turns this process into the program beside it, on the caller's streams (`execve(2)`).
  /// - Returns: why it failed; else it does not return.
  package static func become(
    _ name: String, _ arguments: [String], _ environment: [String] = EnvironmentVariable.entries
  ) -> Failure {
    let program = folder() + "/" + name
    // The memory from strdup lives until execve replaces it or this process ends.
    var argumentPointers = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    var environmentPointers = unsafe environment.map { unsafe strdup($0) } + [nil]
    unsafe execve(program, &argumentPointers, &environmentPointers)
    return Failure(
      .coreFailed, "Cannot start \(program): \(SystemCallError.text(of: errno))",
      hint: "\(name) belongs beside authcore; build or install both.")
  }
}

/// Starts `authcored` for a state folder, in the background, and waits until it serves; or asks it
/// about a driver.
///
/// The core gets a session of its own, no terminal, no descriptor except the one for its report,
/// and only those environment variables that say where plugins are. So nothing of the command that
/// happened to come first stays in it, and a reader of that command's output sees its end when the
/// command ends.
struct CoreStarter {
  let program: String

  /// How long a start may take: the first on a machine asks every driver.
  static let deadline: Int32 = 20_000
  /// How long a core that reported a failure may take to end.
  private static let endDeadline: Int32 = 1000
  private static let passedOn = ["AUTHCORE_PLUGIN_PATH", "AUTHCORE_SANDBOX", "AUTHCORE_TPM"]

  /// The environment of a core. Without a sandbox it includes the variables of umockdev-run, whose
  /// devices exist only there.
  static var environment: [String] {
    let isOff = EnvironmentVariable.value(of: "AUTHCORE_SANDBOX") == "off"
    return EnvironmentVariable.entries.filter { entry in
      let name = entry.prefix { $0 != "=" }
      if passedOn.contains(String(name)) { return true }
      return isOff && (name == "LD_PRELOAD" || name.hasPrefix("UMOCKDEV_"))
    }
  }

  /// Starts a core for the state folder with this absolute path, which the core creates. It is not
  /// a failure if another core serves it already.
  /// - Throws: the core's failure, or that it reports nothing.
  func start(for folder: String) throws(Failure) {
    let launched: Launched<CoreReady> = try run(["--home", folder, "--on-demand"])
    if launched.answer.wasRunning {
      _ = launched.child.wait(milliseconds: Self.endDeadline)
    } else {
      StartedCore(launched.takeChild()).reapAtItsEnd()
    }
  }

  /// Resolves a driver's name and options, as `--driver` takes them.
  /// - Parameters:
  ///   - argument: `NAME|PATH[:key=value,…]`.
  ///   - folder: the absolute folder for relative paths.
  ///   - descriptions: a file that remembers drivers' descriptions, or nil.
  /// - Returns: what to send with ``Protocol/UseDriver``.
  /// - Throws: what is wrong with them, in the words of the command.
  func resolve(
    driver argument: String, relativeTo folder: String, descriptions: String?
  ) throws(Failure) -> ResolvedDriver {
    var arguments = ["--resolve-driver", argument, "--relative-to", folder]
    if let descriptions { arguments += ["--descriptions", descriptions] }
    let launched: Launched<ResolvedDriver> = try run(arguments)
    _ = launched.child.wait(milliseconds: Self.endDeadline)
    return launched.answer
  }

  private struct Launched<Answer>: ~Copyable {
    let child: ChildProcess
    let answer: Answer

    consuming func takeChild() -> ChildProcess { child }
  }

  /// Starts the program and waits for its one report.
  /// - Throws: the failure that it reports instead, or that it reports nothing.
  private func run<Answer: WireMessage>(
    _ arguments: [String]
  ) throws(Failure) -> Launched<Answer> {
    let report = try SocketPair()
    var launch = ProgramLaunch(path: program, arguments: arguments + ["--ready-fd", "3"])
    launch.environment = Self.environment
    launch.startsSession = true
    launch.descriptors = [report.far.number]
    let child: ChildProcess
    do throws(SystemCallError) {
      child = try launch.start()
    } catch {
      throw Failure(
        .coreFailed, "Cannot start \(program): \(SystemCallError.text(of: error.number))",
        hint: "authcored belongs beside authcore; build or install both.")
    }
    let answer: Answer = try Self.awaitReport(
      MessageStream(report.takeNear(), limit: ClientEnvelope.longestRequest), child)
    return Launched(child: child, answer: answer)
  }

  /// A core that this process started, which may outlive it.
  private final class StartedCore: Sendable {
    private let child: ChildProcess

    init(_ child: consuming ChildProcess) { self.child = child }

    /// Reaps the core when it has ended: a program may wait for any child of its own (waitpid(2)),
    /// and would find one that it never started.
    func reapAtItsEnd() {
      SystemThread.start(name: "core's end") { [self] in _ = child.wait() }
    }
  }

  private static func awaitReport<Answer: WireMessage>(
    _ stream: consuming MessageStream, _ child: borrowing ChildProcess
  ) throws(Failure) -> Answer {
    let message: ReceivedMessage
    do throws(StreamError) {
      message = try stream.receive(milliseconds: deadline)
    } catch {
      guard error != .timedOut else {
        child.kill()
        _ = child.wait()
        throw Failure(
          .coreFailed, "The core did not become ready within \(deadline / 1000) s",
          hint: "authcore serve shows what it does.")
      }
      let end = child.wait(milliseconds: endDeadline)
      throw Failure(
        .coreFailed,
        "The core \(end.map { $0.description } ?? "closed its report") before it was ready",
        hint: "authcore serve shows what it says.")
    }
    let refusal: Failure
    do throws(DecodeError) {
      guard message.bytes.count > 0, message.bytes.bytes[0] == Failure.number else {
        return try Answer.decode(message.bytes.bytes)
      }
      refusal = try Failure.decode(message.bytes.bytes)
    } catch {
      throw Failure(.coreFailed, "The core sent an invalid report: \(error)")
    }
    _ = child.wait(milliseconds: endDeadline)
    throw refusal
  }
}
