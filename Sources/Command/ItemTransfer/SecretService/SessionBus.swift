import DBus
import Protocol

extension BusConnection {
  /// The bus of the session whose keyring is meant.
  /// - Parameter address: where it listens; nil: as the session says.
  /// - Returns: a connection to it.
  /// - Throws: `errSecNotAvailable` where there is no bus, or nothing to speak to it with.
  static func ofSession(at address: String?) throws(Failure) -> BusConnection {
    do throws(BusError) {
      return try BusConnection(to: address.map { .at($0) } ?? .session)
    } catch .noLibrary {
      throw Failure(
        .errSecNotAvailable, "There is no libsystemd, which speaks to the session bus",
        hint: "Install it; on Debian: apt install libsystemd0")
    } catch {
      throw Failure(
        .errSecNotAvailable, "There is no session bus: \(error.reason)",
        hint: "Run the command in the session whose keyring is meant.")
    }
  }
}
