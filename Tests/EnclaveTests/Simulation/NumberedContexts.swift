import Protocol

@testable import EnclaveEngine

/// Who asks in most tests: one connection of one application.
let requester = Requester(application: commandApplication, connection: 1)
/// Another connection of the same application.
let otherConnection = Requester(application: commandApplication, connection: 2)
/// Another application, should it come by the same connection.
let otherApplication = Requester(application: "/usr/bin/other", connection: 1)

/// A context of ``requester``.
func contextName(_ number: UInt64) -> ContextName { ContextName(number, of: requester) }

// Messages about contexts of that requester, by their numbers.

extension OpenContext {
  init(context number: UInt64, reuseSeconds: UInt32 = 0, outlivesRequest: Bool = false) {
    self.init(
      context: contextName(number), reuseSeconds: reuseSeconds, outlivesRequest: outlivesRequest)
  }
}

extension CloseContext {
  init(context number: UInt64) { self.init(context: contextName(number)) }
}

extension GetContextEvidence {
  init(context number: UInt64) { self.init(context: contextName(number)) }
}

extension UnlockWithMatch {
  init(context number: UInt64, isReusable: Bool = true) {
    self.init(context: contextName(number), isReusable: isReusable)
  }
}

extension VerifyPasscode {
  init(
    context number: UInt64, unlocksDevice: Bool, mayErase: Bool = true,
    passcode: consuming SecretBytes
  ) {
    self.init(
      context: contextName(number), unlocksDevice: unlocksDevice, mayErase: mayErase,
      passcode: passcode)
  }
}

extension BeginMatch {
  init(
    session: UInt64, channel: UInt32, context number: UInt64, requiresStrictMatch: Bool = false,
    tellsScore: Bool = false
  ) {
    self.init(
      session: session, channel: channel, context: contextName(number),
      requiresStrictMatch: requiresStrictMatch, tellsScore: tellsScore)
  }
}

extension BeginEnrollment {
  init(
    session: UInt64, channel: UInt32, context number: UInt64, name: String, isRelaxed: Bool = false
  ) {
    self.init(
      session: session, channel: channel, context: contextName(number), name: name,
      isRelaxed: isRelaxed)
  }
}
