import CSystemd
import Glibc
import LinuxSystem

/// A connection to a message bus. One thread at a time.
@safe package final class BusConnection {
  /// Where a bus listens.
  package enum Address: Equatable, Sendable {
    /// What `DBUS_SESSION_BUS_ADDRESS` says, else the bus of the user's service manager.
    case session
    /// As D-Bus writes addresses. The environment has no say in it.
    case at(String)

    /// The one bus of the machine.
    package static let system = Address.at("unix:path=/run/dbus/system_bus_socket")
  }

  private let bus: OpaquePointer
  private let patience: UInt64

  /// How long the peer of a session has to answer, in microseconds. Prompts are answered by a
  /// signal and not waited for here.
  package static let sessionPatience: UInt64 = 60_000_000

  /// Connects.
  /// - Parameters:
  ///   - address: where the bus listens.
  ///   - patience: how long a peer has for each answer, in microseconds.
  /// - Throws: ``BusError/noLibrary`` where there is nothing to speak to a bus with.
  package init(to address: Address, patience: UInt64 = sessionPatience) throws(BusError) {
    guard ac_bus_load() == 0 else { throw .noLibrary }
    var bus: OpaquePointer?
    let result =
      switch address {
      case .session: unsafe ac_bus_open(nil, &bus)
      case .at(let address): unsafe address.withCString { unsafe ac_bus_open($0, &bus) }
      }
    guard result >= 0, let bus = unsafe bus else {
      throw .failed(call: "connect", errno: -result)
    }
    unsafe self.bus = bus
    self.patience = patience
  }

  /// Waits until the bus has taken the connection. Without this the first call does, for as long as
  /// that takes.
  package func awaitReadiness() throws(BusError) {
    let result = unsafe ac_bus_await_ready(bus, patience)
    guard result >= 0 else { throw .failed(call: "connect", errno: -result) }
  }

  /// An object of a service.
  package struct Object {
    package let service: String
    package let path: String

    package init(service: String, path: String) {
      (self.service, self.path) = (service, path)
    }
  }

  package func makeCall(
    _ object: Object, _ interface: String, _ member: String
  ) throws(BusError) -> BusMessage {
    var message: OpaquePointer?
    let result = unsafe ac_bus_new_call(
      bus, &message, object.service, object.path, interface, member)
    guard result >= 0, let message = unsafe message else {
      throw .failed(call: "call", errno: -result)
    }
    return unsafe BusMessage(owning: message)
  }

  /// Sends a call and waits for its answer.
  package func send(_ call: borrowing BusMessage) throws(BusError) -> BusMessage {
    var reply: OpaquePointer?
    var error: UnsafeMutablePointer<CChar>?
    let result = unsafe call.withPointer {
      unsafe ac_bus_call(bus, $0, patience, &error, &reply)
    }
    defer { unsafe free(error) }
    guard result >= 0, let reply = unsafe reply else {
      // The name is copied before it is freed.
      if let error = unsafe error { throw .refused(name: unsafe String(cString: error)) }
      throw .failed(call: "call", errno: -result)
    }
    return unsafe BusMessage(owning: reply)
  }

  /// Waits for a signal of an object that `body` causes, for as long as a person takes.
  package func awaitSignal(
    _ member: String, _ interface: String, of object: Object, _ body: () throws(BusError) -> Void
  ) throws(BusError) -> BusMessage {
    var signal: OpaquePointer?
    let result = unsafe ac_bus_watch(
      bus, object.service, object.path, interface, member, &signal)
    guard result >= 0, let signal = unsafe signal else {
      throw .failed(call: "match", errno: -result)
    }
    defer { unsafe ac_bus_unwatch(signal) }
    try body()
    var message: OpaquePointer?
    let waited = unsafe ac_bus_next_signal(bus, signal, &message)
    guard waited >= 0, let message = unsafe message else {
      throw .failed(call: "wait", errno: -waited)
    }
    return unsafe BusMessage(owning: message)
  }

  @unsafe func notice(_ rule: String) throws(BusError) -> OpaquePointer {
    var notices: OpaquePointer?
    let result = unsafe rule.withCString { unsafe ac_bus_notice(bus, $0, &notices) }
    guard result >= 0, let notices = unsafe notices else {
      throw .failed(call: "match", errno: -result)
    }
    return unsafe notices
  }

  @unsafe func awaitNotice(
    _ notices: OpaquePointer, microseconds: UInt64
  ) throws(BusError) -> Bool {
    let result = unsafe ac_bus_await_notice(bus, notices, microseconds)
    guard result >= 0 else { throw .failed(call: "wait", errno: -result) }
    return result > 0
  }

  deinit { unsafe ac_bus_close(bus) }
}

extension BusConnection {
  /// Reads properties of an object, all as they are at one moment.
  /// - Parameters:
  ///   - object: whose.
  ///   - interface: of which kind they are.
  ///   - body: is called with each one's name, and reads the variant that comes next or returns
  ///     false.
  /// - Throws: where the object has none, and what `body` throws.
  package func readProperties(
    of object: Object, _ interface: String,
    _ body: (String, borrowing BusMessage) throws(BusError) -> Bool
  ) throws(BusError) {
    let call = try makeCall(object, "org.freedesktop.DBus.Properties", "GetAll")
    try call.append(interface)
    let reply = try send(call)
    _ = try reply.read(.array, of: "{sv}") { () throws(BusError) in
      func readEntry() throws(BusError) -> Bool {
        try reply.read(.dictionaryEntry, of: "sv") { () throws(BusError) in
          let name = try reply.readText()
          if try !body(name, reply) { try reply.skip("v") }
          return true
        } ?? false
      }
      while try readEntry() {}
    }
  }
}

/// Signals of a bus that match a rule: that some have come, and no more. One thread at a time, with
/// the bus.
@safe package final class BusNotices {
  private let bus: BusConnection
  private let notices: OpaquePointer

  /// Notices what comes from here on.
  /// - Parameters:
  ///   - bus: the connection, which nobody else waits on.
  ///   - rule: as D-Bus writes match rules.
  /// - Throws: where the bus does not take it.
  package init(of bus: BusConnection, matching rule: String) throws(BusError) {
    self.bus = bus
    unsafe notices = try bus.notice(rule)
  }

  /// Waits for one.
  /// - Returns: whether some came in time.
  package func wait(microseconds: UInt64) throws(BusError) -> Bool {
    unsafe try bus.awaitNotice(notices, microseconds: microseconds)
  }

  deinit { unsafe ac_bus_end_notices(notices) }
}

/// Why something on the bus did not work.
package enum BusError: Error, Equatable {
  /// There is no libsystemd, which speaks to buses here.
  case noLibrary
  /// A function of sd-bus failed with this `errno`.
  case failed(call: StaticString, errno: Int32)
  /// The peer answered with an error of this name.
  case refused(name: String)
  /// The answer is of another form than it should be.
  case unreadable

  package static func == (one: BusError, other: BusError) -> Bool { one.reason == other.reason }

  /// A sentence without a full stop.
  package var reason: String {
    switch self {
    case .noLibrary: "there is no libsystemd"
    case .failed(let call, let number): "\(call): \(SystemCallError.text(of: number))"
    case .refused(let name): "it answers: \(name)"
    case .unreadable: "it answers something that is not understood"
    }
  }

  /// Whether nobody is there who could answer.
  package var isAbsence: Bool {
    switch self {
    case .refused(let name):
      [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
      ].contains(name) || name.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
    default: false
    }
  }
}
