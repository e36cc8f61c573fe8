import CSystemd
import Glibc
package import Wire

/// A connection to a session bus. One thread at a time.
@safe package final class SessionBus {
  private let bus: OpaquePointer

  /// How long the other side has to answer, in microseconds. Prompts are answered by a signal and
  /// not waited for here.
  private static let patience: UInt64 = 60_000_000

  /// - Parameter address: where it listens; nil: what `DBUS_SESSION_BUS_ADDRESS` says, else the bus
  ///   of the user's service manager.
  /// - Throws: `errSecNotAvailable` where there is no bus, or nothing to speak to it with.
  package init(at address: String?) throws(Failure) {
    guard ac_bus_load() == 0 else {
      throw Failure(
        .errSecNotAvailable, "There is no libsystemd, which speaks to the session bus",
        hint: "Install it; on Debian: apt install libsystemd0")
    }
    var bus: OpaquePointer?
    let result =
      if let address {
        unsafe address.withCString { unsafe ac_bus_open($0, &bus) }
      } else {
        unsafe ac_bus_open(nil, &bus)
      }
    guard result >= 0, let bus = unsafe bus else {
      throw Failure(
        .errSecNotAvailable,
        "There is no session bus: \(unsafe String(cString: strerror(-result)))",
        hint: "Run the command in the session whose keyring is meant.")
    }
    unsafe self.bus = bus
  }

  /// An object of a service.
  package struct Object {
    package let service: String
    package let path: String

    package init(service: String, path: String) {
      self.service = service
      self.path = path
    }
  }

  /// A message that calls a method.
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
      unsafe ac_bus_call(bus, $0, Self.patience, &error, &reply)
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

  deinit { unsafe ac_bus_close(bus) }
}
