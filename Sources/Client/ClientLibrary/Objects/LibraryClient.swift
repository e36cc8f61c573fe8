public import CClientLibrary
import CoreClient
import Protocol

/// A caller's way to its core (`ac_client_t`).
final class LibraryClient: LibraryObject {
  let client: ApplicationClient

  init(_ client: ApplicationClient) { self.client = client }

  /// The keychain by the client behind an argument, which has to be there.
  @unsafe static func keychain(
    _ pointer: OpaquePointer?, _ prompting: Prompting = .forbidden, in context: OpaquePointer? = nil
  ) throws(Failure) -> Keychain {
    Keychain(try unsafe needed(pointer), prompting, in: unsafe LibraryContext.given(context))
  }

  /// The client behind an argument, which has to be there.
  @unsafe static func needed(_ pointer: OpaquePointer?) throws(Failure) -> ApplicationClient {
    guard let object = unsafe object(pointer) else { throw .missing("client") }
    return object.client
  }
}

/// The version of the interface that this library has (client.h).
@c @implementation
public func ac_client_version() -> UInt32 {
  AC_CLIENT_VERSION_MAJOR << 16 | AC_CLIENT_VERSION_MINOR
}

/// Makes a client, which connects with its first call (client.h).
@c @implementation
public func ac_client_open(
  _ settings: UnsafePointer<ac_client_settings_t>!,
  _ ret_client: UnsafeMutablePointer<OpaquePointer?>!,
  _ ret_error: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  unsafe answer(ret_error) { () throws(Failure) in
    guard let ret_client = unsafe ret_client else { throw .missing("ret_client") }
    let settings = try unsafe GivenStruct.copy(settings, ac_client_settings_t(), "settings")
    unsafe ret_client.pointee = LibraryClient(
      ApplicationClient(try settings?.applicationSettings() ?? .current())
    ).handOut()
  }
}

/// Gives a client up (client.h).
@c @implementation
public func ac_client_close(_ client: OpaquePointer!) { unsafe LibraryClient.takeBack(client) }

extension ac_client_settings_t {
  fileprivate func applicationSettings() throws(Failure) -> ApplicationSettings {
    let given = ClientEnvironment.current()
    let usual = ApplicationSettings.current()
    let home = try unsafe GivenText.named(self.home, "settings.home", atMost: 4095)
    let driver = try unsafe GivenText.named(self.driver, "settings.driver", atMost: 4095)
    let name = try unsafe GivenText.named(
      application_name, "settings.application_name", atMost: 64)
    return ApplicationSettings(
      environment: given.with(home: home, driver: driver),
      applicationName: name ?? usual.applicationName, asksOnTerminal: true)
  }
}
