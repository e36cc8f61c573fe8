import CSystemd
import Glibc
import LinuxSystem

/// A connection to a message bus. One thread at a time.
@safe package final class BusConnection {
  package enum Address: Equatable, Sendable {
    /// `DBUS_SESSION_BUS_ADDRESS`, else the bus of the user's service manager.
    case session
    /// A D-Bus address, whatever the environment says.
    case at(String)

    package static let system = Address.at("unix:path=/run/dbus/system_bus_socket")
  }

  private let bus: OpaquePointer
  private let timeout: UInt64

  /// Microseconds that the peer of a session has to answer. Prompts are answered by a signal and
  /// not waited for here.
  package static let sessionTimeout: UInt64 = 60_000_000

  /// - Parameters:
  ///   - address: of the bus.
  ///   - timeout: microseconds that a peer has for each answer.
  /// - Throws: ``BusError/noLibrary`` without libsystemd.
  package init(to address: Address, timeout: UInt64 = sessionTimeout) throws(BusError) {
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
    self.timeout = timeout
  }

  /// Waits until the bus has taken the connection. Otherwise the first call waits, without a
  /// timeout.
  package func awaitReadiness() throws(BusError) {
    let result = unsafe ac_bus_await_ready(bus, timeout)
    guard result >= 0 else { throw .failed(call: "connect", errno: -result) }
  }

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

  package func send(_ call: borrowing BusMessage) throws(BusError) -> BusMessage {
    var reply: OpaquePointer?
    var error: UnsafeMutablePointer<CChar>?
    let result = unsafe call.withPointer {
      unsafe ac_bus_call(bus, $0, timeout, &error, &reply)
    }
    defer { unsafe free(error) }
    guard result >= 0, let reply = unsafe reply else {
      // The name is copied before it is freed.
      if let error = unsafe error { throw .refused(name: unsafe String(cString: error)) }
      throw .failed(call: "call", errno: -result)
    }
    return unsafe BusMessage(owning: reply)
  }

  /// Waits for a signal of an object that `body` causes, without a timeout.
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
  /// Reads the properties of an object at one moment.
  /// - Parameters:
  ///   - object: the object.
  ///   - interface: the interface of the properties.
  ///   - body: called with each name; reads the variant that comes next, or returns false.
  /// - Throws: if the object has none, and what `body` throws.
  package func readProperties(
    of object: Object, _ interface: String,
    _ body: (String, borrowing BusMessage) throws(BusError) -> Bool
  ) throws(BusError) {
    let call = try makeCall(object, "org.freedesktop.DBus.Properties", "GetAll")
    try call.append(interface)
    let reply = try send(call)
    try reply.readEach(.dictionaryEntry, of: "sv") { () throws(BusError) in
      let name = try reply.readText()
      if try !body(name, reply) { try reply.skip("v") }
    }
  }
}

/// Tells that signals of a bus match a rule, without their contents. One thread at a time, with the
/// bus.
@safe package final class BusNotices {
  private let bus: BusConnection
  private let notices: OpaquePointer

  /// - Parameters:
  ///   - bus: a connection that is used for nothing else.
  ///   - rule: a match rule of D-Bus.
  /// - Throws: if the bus refuses the rule.
  package init(of bus: BusConnection, matching rule: String) throws(BusError) {
    self.bus = bus
    unsafe notices = try bus.notice(rule)
  }

  /// - Returns: whether a signal came in time.
  package func wait(microseconds: UInt64) throws(BusError) -> Bool {
    unsafe try bus.awaitNotice(notices, microseconds: microseconds)
  }

  deinit { unsafe ac_bus_end_notices(notices) }
}

package enum BusError: Error, Equatable {
  /// libsystemd is missing.
  case noLibrary
  case failed(call: StaticString, errno: Int32)
  case refused(name: String)
  /// The answer has an unexpected form.
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

  /// Whether no service is there to answer.
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
