import Foundation
import LocalAuthentication

/// Items behind access control.
struct KeychainDemonstrations {
  let say: @Sendable (String) -> Void
  /// Asks for the application password. Returns nil if nothing is typed.
  let askPassword: @Sendable (String) -> String?

  func add(_ item: ProtectedItem) throws {
    let context = try context(for: item)
    do {
      // Without an owner who could open it there can be no such item.
      var problem: NSError?
      guard context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &problem) else {
        throw problem ?? LAError(.passcodeNotSet)
      }
      try item.add("the secret behind \(item.rawValue)", in: context)
    } catch {
      throw Refusal(what: "“\(item.rawValue)”", error: error)
    }
    say("Added “\(item.rawValue)”.")
  }

  func query() throws {
    try forEachThere { item in
      let context = try context(for: item)
      context.localizedReason = "Open “\(item.rawValue)”"
      say("“\(item.rawValue)” holds: \(try item.secret(in: context))")
    }
  }

  func update() throws {
    try forEachThere { item in
      let context = try context(for: item)
      context.localizedReason = "Change “\(item.rawValue)”"
      try item.update("another secret behind \(item.rawValue)", in: context)
      say("Changed “\(item.rawValue)”.")
    }
  }

  func delete() throws {
    for item in ProtectedItem.allCases {
      say(try item.delete() ? "Deleted “\(item.rawValue)”." : "There is no “\(item.rawValue)”.")
    }
  }

  func generateKey() throws {
    do {
      try TouchIDKey.generate()
    } catch {
      throw Refusal(what: "The key", error: error)
    }
    say("Made a key in the enclave.")
  }

  func useKey() throws {
    let context = LAContext()
    context.localizedReason = "Sign a letter"
    do {
      let signature = try TouchIDKey.sign("Dear all, …", in: context)
      say("Signed a letter with \(signature.count) bytes, and the signature is good.")
    } catch {
      throw Refusal(what: "The key", error: error)
    }
  }

  func deleteKey() throws {
    say(try TouchIDKey.delete() ? "Deleted the key." : "There is no key.")
  }

  private func forEachThere(_ body: (ProtectedItem) throws -> Void) throws {
    let items = try ProtectedItem.allCases.filter { try $0.isThere }
    guard !items.isEmpty else { return say("There is no item yet: add one.") }
    for item in items {
      do {
        try body(item)
      } catch {
        throw Refusal(what: "“\(item.rawValue)”", error: error)
      }
    }
  }

  /// A new context for each request, so that each asks.
  private func context(for item: ProtectedItem) throws -> LAContext {
    let context = LAContext()
    guard item == .password else { return context }
    guard let password = askPassword("Application password: "), !password.isEmpty else {
      throw Refusal(what: "“\(item.rawValue)”", error: LAError(.userCancel))
    }
    guard context.setCredential(Data(password.utf8), type: .applicationPassword) else {
      throw Refusal(what: "The application password", error: LAError(.authenticationFailed))
    }
    return context
  }
}
