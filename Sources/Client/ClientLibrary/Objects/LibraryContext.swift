public import CClientLibrary
import CoreClient
import Protocol

/// A caller's evidence context (`ac_client_context_t`).
final class LibraryContext: LibraryObject {
  let context: ApplicationContext

  init(_ context: ApplicationContext) { self.context = context }

  /// The context behind an argument; nil for NULL.
  @unsafe static func given(_ pointer: OpaquePointer?) -> ApplicationContext? {
    unsafe object(pointer)?.context
  }

  /// The context behind an argument, which has to be there.
  @unsafe static func needed(_ pointer: OpaquePointer?) throws(Failure) -> ApplicationContext {
    guard let context = unsafe given(pointer) else { throw .missing("context") }
    return context
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
    unsafe ret_context.pointee = LibraryContext(ApplicationContext(client, reuseSeconds: reuse_s))
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
    let context = try unsafe LibraryContext.needed(context)
    guard let policy = UInt8(exactly: policy).flatMap(EvaluatedPolicy.init) else {
      throw .outOfRange("policy", "AC_CLIENT_POLICY_BIOMETRICS or AC_CLIENT_POLICY_OWNER")
    }
    let result = try unsafe GivenStruct.copy(
      ret_evaluated, ac_client_evaluated_t(), "ret_evaluated")
    let evaluated = try context.evaluate(policy, try unsafe Prompting(given: prompt))
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
    let context = try unsafe LibraryContext.needed(context)
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
