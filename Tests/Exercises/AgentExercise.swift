import Foundation
import LinuxSystem
import Protocol

/// A client of an SSH agent that shares its connection, for tests:
///
///     exercise agent SOCKET KEY WORD…
///
/// KEY is the key's blob, in Base64. Opens a connection, and has a file signed for each word:
/// `sign` over that connection, `new` over another one, `child` by a process that inherits that
/// connection. `become=PATH` makes this process go on as another program, which inherits it and
/// gets the words behind. Prints `signed` or `refused` for each.
enum AgentExercise {
  static func run(_ arguments: [String]) {
    do {
      try serve(arguments)
    } catch {
      say("\(error)")
    }
  }

  private static func serve(_ arguments: [String]) throws {
    guard arguments.count > 2, let key = Data(base64Encoded: arguments[1]).map({ [UInt8]($0) }),
      let own = RunningExecutable.ofThisProcess()
    else { return say("usage: agent SOCKET KEY WORD…") }
    let common = Array(arguments[..<2])
    var words = arguments[2...]
    var connection: Descriptor
    if let inherited = words.first.flatMap({ $0.value(of: "over=") }).flatMap({ Int32($0) }) {
      connection = Descriptor(owning: inherited)
      words.removeFirst()
    } else {
      connection = try connected(to: arguments[0])
    }
    while let word = words.popFirst() {
      switch word {
      case "sign": say(hasSigned(connection, key))
      case "new": say(hasSigned(try connected(to: arguments[0]), key))
      case "child":
        var launch = ProgramLaunch(
          path: String(decoding: own.path, as: UTF8.self),
          arguments: ["agent"] + common + ["over=3", "sign"])
        launch.descriptors = [connection.number]
        launch.standardStreams = [nil, 1, 2]
        _ = try launch.start().wait()
      default:
        guard let path = word.value(of: "become=") else { return say("unknown word: \(word)") }
        let number = dup(connection.number)
        become(path, ["agent"] + common + ["over=\(number)"] + words)
      }
    }
  }

  /// At once: its children write to the same place.
  private static func say(_ line: String) {
    _ = DescriptorBytes.write(Array("\(line)\n".utf8).span, to: 1)
  }

  private static func connected(to path: String) throws -> Descriptor {
    guard let socket = try UnixSocket.connect(to: path) else {
      throw SystemCallError("connect", number: ECONNREFUSED)
    }
    return socket
  }

  /// Asks for a signature of a file, as ssh-keygen -Y sign does.
  private static func hasSigned(_ socket: borrowing Descriptor, _ key: [UInt8]) -> String {
    var data = WireEncoder()
    for byte in "SSHSIG".utf8 { data.writeByte(byte) }
    data.writeText("file")
    data.writeText("")
    data.writeText("sha512")
    data.writeBytes([UInt8](repeating: 7, count: 64))
    var request = WireEncoder()
    request.writeByte(13)
    request.writeBytes(key)
    request.writeBytes(data.finishPlain())
    request.writeUInt32(0)
    var frame = WireEncoder()
    frame.writeBytes(request.finishPlain())
    guard DescriptorBytes.write(frame.finishPlain().span, to: socket.number),
      let length = read(4, from: socket.number)
    else { return "no answer" }
    let answer = read(length.reduce(0) { $0 << 8 | Int($1) }, from: socket.number)
    return answer?.first == 14 ? "signed" : "refused"
  }

  private static func read(_ count: Int, from socket: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return unsafe recv(socket, &bytes, count, Int32(MSG_WAITALL)) == count ? bytes : nil
  }

  private static func become(_ path: String, _ arguments: [String]) {
    // The strings live until the other program takes this one's place.
    var pointers = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    unsafe execv(path, &pointers)
    say("execv: \(errno)")
  }
}

extension String {
  /// What is behind a prefix; nil if it does not begin so.
  fileprivate func value(of prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
