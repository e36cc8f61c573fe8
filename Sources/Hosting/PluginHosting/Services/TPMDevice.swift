package import AuthcoreABI
import CSystemCalls
import Glibc
package import LinuxSystem
import Protocol

/// The TPM of "tpm/1": one descriptor, opened before the sandbox closes, after which it is only
/// read, written and polled.
///
/// If it cannot be opened, every exchange says why. One thread.
package final class TPMDevice: @unchecked Sendable {
  // Sendable: made and used by the engine's one thread (engine.h, [owner]).

  package struct Problem: Error, Equatable {
    /// The status for a plugin (engine.h).
    package let status: ac_status_t
    package let message: String
  }

  private let address: TPMAddress
  /// The open descriptor, owned by this object; negative if there is none.
  private let number: Int32
  /// Why the TPM cannot be reached, or no longer.
  private var end: Problem?
  /// Whether a response is still to be read.
  private var isAnswerDue = false
  /// The part of a response that has come over a stream.
  private var received: [UInt8] = []

  /// Bytes of the header of commands and responses: tag, size, code (TPM 2.0 part 1, "Command
  /// Structure").
  private static let headerSize = 10
  /// Bytes of the largest response (`TPM2_MAX_RESPONSE_SIZE`).
  private static let largestMessage = 4096
  private static let connectMilliseconds: Int32 = 2000

  /// Opens the TPM. Every exchange reports if that failed.
  package init(_ address: TPMAddress) {
    self.address = address
    number =
      switch address {
      // Non-blocking, so that a command is carried out while its answer is polled for.
      case .device(let path):
        unsafe ac_open_at(AT_FDCWD, path, O_RDWR | O_CLOEXEC | O_NONBLOCK, 0)
      case .network(let host, let port): Self.connect(host, port)
      case .socket(let path): Self.connect(path)
      }
    let problem = errno
    end = number < 0 ? Self.problem(address, "cannot be opened", problem) : nil
  }

  /// A TPM at the other end of a connected socket.
  package init(_ socket: consuming Descriptor, at address: TPMAddress) {
    self.address = address
    number = Self.withoutWaiting(socket)
  }

  /// Sends a command and waits for its response.
  /// - Throws: the reason, with a status of engine.h.
  package func exchange(
    _ command: Span<UInt8>, milliseconds: Int32, limit: Int
  ) throws(Problem) -> [UInt8] {
    if let end { throw end }
    guard Self.headerSize...Self.largestMessage ~= command.count else {
      throw problem(AC_ERR_ARGUMENT, "was given no command")
    }
    let deadline = Deadline(milliseconds: max(0, milliseconds))
    do throws(Problem) {
      if isAnswerDue { _ = try response(until: deadline) }
    } catch {
      // Nothing of this command has been sent.
      throw error.status == AC_ERR_TIMEOUT
        ? problem(AC_ERR_BUSY, "has not answered the last command yet") : error
    }
    try send(command, until: deadline)
    isAnswerDue = true
    let answer = try response(until: deadline)
    guard answer.count <= limit else { throw problem(AC_ERR_PROTOCOL, "answers too much") }
    return answer
  }

  private func send(_ command: Span<UInt8>, until deadline: Deadline) throws(Problem) {
    var sent = 0
    while sent < command.count {
      let count = unsafe command.withUnsafeBytes { bytes in
        let rest = unsafe bytes.baseAddress.map { unsafe $0 + sent }
        if case .device = address { return unsafe write(number, rest, bytes.count - sent) }
        return unsafe Glibc.send(number, rest, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        try wait(for: Int16(POLLOUT), until: deadline, broken: sent > 0)
      } else if errno != EINTR {
        throw failed("cannot be written to")
      }
    }
  }

  private func response(until deadline: Deadline) throws(Problem) -> [UInt8] {
    while true {
      if let size = try announcedSize(), received.count >= size {
        let answer = received
        received = []
        isAnswerDue = false
        guard answer.count == size else { throw garbled() }
        return answer
      }
      try wait(for: Int16(POLLIN), until: deadline, broken: false)
      try receiveMore()
    }
  }

  /// The size in the header of a response, once that has come.
  private func announcedSize() throws(Problem) -> Int? {
    guard received.count >= Self.headerSize else {
      // A device gives a response in one piece.
      if case .device = address, !received.isEmpty { throw garbled() }
      return nil
    }
    let size = received[2..<6].reduce(0) { $0 << 8 | Int($1) }
    guard Self.headerSize...Self.largestMessage ~= size else { throw garbled() }
    if case .device = address, size != received.count { throw garbled() }
    return size
  }

  private func receiveMore() throws(Problem) {
    var buffer = [UInt8](repeating: 0, count: Self.largestMessage)
    let count = unsafe read(number, &buffer, buffer.count)
    switch count {
    case 1...: received += buffer[..<count]
    case 0:
      // A device answers a command that it could not carry out with no bytes.
      errno = EPIPE
      throw failed("has closed the connection")
    default: if errno != EAGAIN, errno != EINTR { throw failed("cannot be read from") }
    }
  }

  /// Waits. With `broken`, part of a command was sent, so nothing else can be sent if this fails.
  private func wait(for events: Int16, until deadline: Deadline, broken: Bool) throws(Problem) {
    var entry = pollfd(fd: number, events: events, revents: 0)
    while unsafe poll(&entry, 1, deadline.remainingMilliseconds) <= 0 {
      guard deadline.remainingMilliseconds == 0 else { continue }
      let late = problem(AC_ERR_TIMEOUT, "does not answer in time")
      if broken { end = problem(AC_ERR_GONE, "did not take a whole command") }
      throw late
    }
  }

  deinit { if number >= 0 { close(number) } }

  /// The response makes no sense. On a stream nothing after it can make sense either.
  private func garbled() -> Problem {
    received = []
    isAnswerDue = false
    if case .device = address {} else { end = problem(AC_ERR_GONE, "has sent garbage") }
    return problem(AC_ERR_PROTOCOL, "answers what is no answer of a TPM")
  }

  private func failed(_ what: String) -> Problem {
    let reason = Self.problem(address, what, errno)
    if reason.status != AC_ERR_BUSY { end = reason }
    return reason
  }

  private func problem(_ status: Int, _ what: String) -> Problem {
    Problem(status: ac_status_t(status), message: "The TPM \(address.text) \(what)")
  }

  private static func problem(_ address: TPMAddress, _ what: String, _ number: Int32) -> Problem {
    let status =
      switch number {
      case ENOENT, ENXIO, ENODEV, ECONNREFUSED: AC_ERR_NOT_FOUND
      case EACCES, EPERM: AC_ERR_PERMISSION
      case EBUSY, EAGAIN: AC_ERR_BUSY
      case ETIMEDOUT: AC_ERR_TIMEOUT
      default: AC_ERR_GONE
      }
    return Problem(
      status: ac_status_t(status),
      message: "The TPM \(address.text) \(what): \(SystemCallError.text(of: number))")
  }

  // MARK: Software TPMs

  private static func connect(_ path: String) -> Int32 {
    do throws(SystemCallError) {
      guard let socket = try UnixSocket.connect(to: path) else {
        errno = ENOENT
        return -1
      }
      return withoutWaiting(socket)
    } catch {
      errno = error.number
      return -1
    }
  }

  private static func connect(_ host: String, _ port: UInt16) -> Int32 {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { return -1 }
    let socket = Descriptor(owning: number)
    // connect(2) obeys the timeout of sending.
    var timeout = timeval(tv_sec: Int(connectMilliseconds / 1000), tv_usec: 0)
    unsafe setsockopt(
      number, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return -1 }
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      if errno == EINPROGRESS { errno = ETIMEDOUT }
      return -1
    }
    return withoutWaiting(socket)
  }

  private static func withoutWaiting(_ socket: consuming Descriptor) -> Int32 {
    _ = fcntl(socket.number, F_SETFL, O_NONBLOCK)
    return socket.release()
  }
}
