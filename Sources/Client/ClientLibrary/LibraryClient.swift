public import CClientLibrary
import CoreClient
import Protocol

/// A caller's client (`ac_client_t`).
final class LibraryClient: LibraryObject {
  let client: ApplicationClient

  init(_ client: ApplicationClient) { self.client = client }

  /// The keychain of the client behind an argument that must not be NULL.
  @unsafe static func keychain(
    _ pointer: OpaquePointer?, _ prompting: Prompting = .forbidden, in context: OpaquePointer? = nil
  ) throws(Failure) -> Keychain {
    Keychain(try unsafe needed(pointer), prompting, in: unsafe LibraryContext.given(context))
  }

  /// The client behind an argument that must not be NULL.
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

/// A caller's evidence context (`ac_client_context_t`).
final class LibraryContext: LibraryObject {
  let context: ApplicationContext
  let reuseSeconds: UInt32

  init(_ context: ApplicationContext, reuseSeconds: UInt32) {
    (self.context, self.reuseSeconds) = (context, reuseSeconds)
  }

  /// The context behind an argument, or nil for NULL.
  @unsafe static func given(_ pointer: OpaquePointer?) -> ApplicationContext? {
    unsafe object(pointer)?.context
  }

  /// The context behind an argument that must not be NULL.
  @unsafe static func needed(_ pointer: OpaquePointer?) throws(Failure) -> LibraryContext {
    guard let object = unsafe object(pointer) else { throw .missing("context") }
    return object
  }
}

/// Makes an evidence context (client.h).
@c @implementation
public func ac_client_context_open(
  _ client: OpaquePointer!, _ reuse_s: UInt32,
  _ ret_context: UnsafeMutablePointer<OpaquePointer?>!,
  _ ret_error: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  unsafe answer(ret_error) { () throws(Failure) in
    let client = try unsafe LibraryClient.needed(client)
    guard let ret_context = unsafe ret_context else { throw .missing("ret_context") }
    guard reuse_s <= longestReuse else {
      throw .outOfRange("reuse_s", "0 to \(longestReuse) seconds")
    }
    unsafe ret_context.pointee = LibraryContext(ApplicationContext(client), reuseSeconds: reuse_s)
      .handOut()
  }
}

/// Has the owner prove presence (client.h).
@c @implementation
public func ac_client_context_evaluate(
  _ context: OpaquePointer!, _ policy: ac_client_policy_t,
  _ prompt: UnsafePointer<ac_client_prompt_t>!,
  _ ret_evaluated: UnsafeMutablePointer<ac_client_evaluated_t>!,
  _ ret_error: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  unsafe answer(ret_error) { () throws(Failure) in
    let given = try unsafe LibraryContext.needed(context)
    guard let policy = UInt8(exactly: policy).flatMap(EvaluatedPolicy.init) else {
      throw .outOfRange("policy", "AC_CLIENT_POLICY_BIOMETRICS or AC_CLIENT_POLICY_OWNER")
    }
    let result = try unsafe GivenStruct.copy(
      ret_evaluated, ac_client_evaluated_t(), "ret_evaluated")
    let evaluated = try given.context.evaluate(
      policy, try unsafe Prompting(given: prompt), reuseSeconds: given.reuseSeconds)
    guard let result, let ret_evaluated = unsafe ret_evaluated else { return }
    unsafe ret_evaluated.pointee = ac_client_evaluated_t(
      struct_size: result.struct_size, evidence: Int32(evaluated.evidence.rawValue),
      age_s: evaluated.age)
  }
}

/// Gives a context an application password (client.h).
@c @implementation
public func ac_client_context_give_password(
  _ context: OpaquePointer!, _ password: UnsafePointer<UInt8>!, _ count: Int,
  _ ret_error: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  unsafe answer(ret_error) { () throws(Failure) in
    let context = try unsafe LibraryContext.needed(context).context
    let password = try unsafe GivenBytes.secret(
      password, count, "password", atMost: longestAppPassword)
    guard password.count > 0 else { throw .outOfRange("count", "1 to \(longestAppPassword) bytes") }
    try context.give(appPassword: password, for: .opening)
  }
}

/// Ends the call under way in a context; any thread (client.h).
@c @implementation
public func ac_client_context_cancel(_ context: OpaquePointer!) {
  unsafe LibraryContext.given(context)?.cancel()
}

/// Ends a context for good; any thread (client.h).
@c @implementation
public func ac_client_context_invalidate(_ context: OpaquePointer!) {
  unsafe LibraryContext.given(context)?.invalidate()
}

/// Invalidates and frees a context (client.h).
@c @implementation
public func ac_client_context_close(_ context: OpaquePointer!) {
  unsafe LibraryContext.given(context)?.invalidate()
  unsafe LibraryContext.takeBack(context)
}
