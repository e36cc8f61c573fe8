import CoreClient
import Glibc
import LinuxSystem
import Protocol

/// The file with one line of JSON for each signature (`--log`). Any thread.
final class SigningLog: Sendable {
  /// One file, or none.
  private let file: DescriptorList

  /// Opens the file, or makes it for this user alone.
  /// - Parameter path: nil for no log.
  /// - Throws: `usage` if it cannot be written.
  init(_ path: String?) throws(Failure) {
    guard let path else {
      file = DescriptorList()
      return
    }
    // A pipe without a reader must not hold the agent.
    let number = unsafe open(
      path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    var status = stat()
    let isFile =
      unsafe number >= 0 && fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    guard isFile, fchmod(number, 0o600) == 0 else {
      let reason = number >= 0 && !isFile ? "it is no file" : SystemCallError("open").reason
      if number >= 0 { close(number) }
      throw Failure(
        .usage, "Cannot write the log \(path): \(reason)",
        hint: "Name a file of your own with --log FILE.")
    }
    file = DescriptorList(owning: [number])
  }

  /// Notes a signature, or that it was refused for a reason.
  func note(
    _ request: SignRequest, _ reason: SigningReason, key: String, by caller: Caller,
    isReused: Bool = false, refusedFor problem: String? = nil
  ) {
    let destination = reason.destination.map { destination in
      JSONValue.object([
        "host": destination.host.map { .string($0) },
        "fingerprint": .string(destination.fingerprint),
        "verified": .bool(destination.isVerified),
      ])
    }
    write([
      "request": "sign", "key": .string(key), "caller": Self.json(caller),
      "purpose": .string(request.data.purpose), "user": request.data.user.map { .string($0) },
      "namespace": request.data.namespace.map { .string($0) }, "destination": destination,
      "forwarded": .bool(request.isForwarded), "reason": .string(reason.text),
      "result": problem == nil ? "signed" : "refused", "reused": isReused ? .bool(true) : nil,
      "error": problem.map { .string($0) },
    ])
  }

  /// Notes that another request than for a signature was refused.
  func note(refused request: String, by caller: Caller, _ problem: String) {
    write([
      "request": .string(request), "caller": Self.json(caller), "result": "refused",
      "error": .string(problem),
    ])
  }

  private func write(_ fields: KeyValuePairs<String, JSONValue?>) {
    guard let number = file.numbers.first else { return }
    // One write for a line, so that lines of several threads do not mix.
    let line = JSONValue.object(fields).text + "\n"
    _ = DescriptorBytes.write(Array(line.utf8).span, to: number)
  }

  private static func json(_ caller: Caller) -> JSONValue {
    .object([
      "pid": .count(caller.process), "name": .string(caller.names.first ?? ""),
    ])
  }
}
