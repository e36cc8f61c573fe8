import AuthcoreABI
import Protocol
import TrustedPlatform

/// The machine's TPM. Each request has at most one conversation with it, begun by the first
/// question, and a deadline.
final class PlatformTPM {
  private let platform: any EnclavePlatform
  private var current: TPMConversation?
  /// Of the present conversation, in nanoseconds since boot.
  private var deadline: UInt64 = 0

  /// Nanoseconds for one request; less than a host has to start.
  private static let requestTimeout: UInt64 = 7_000_000_000

  init(_ platform: any EnclavePlatform) { self.platform = platform }

  /// Talks to the TPM whose storage key has this name; nil: to any.
  /// - Throws: what is wrong with it, after ``hangUp()``.
  func talk<Value: ~Copyable>(
    to name: [UInt8]?, _ body: (TPMConversation) throws(TPMError) -> Value
  ) throws(TPMError) -> Value {
    do throws(TPMError) {
      return try body(conversation(name))
    } catch {
      // After a refusal the conversation goes on.
      if error != .wrongAuthorization { hangUp() }
      throw error
    }
  }

  private func conversation(_ name: [UInt8]?) throws(TPMError) -> TPMConversation {
    if let current {
      guard name == nil || name == current.primaryName else { throw .foreign }
      return current
    }
    deadline = platform.bootTime + Self.requestTimeout
    let begun = try TPMConversation(over: self, expecting: name)
    current = begun
    return begun
  }

  /// The same for the TPM that keeps the root key: its failures are the enclave's.
  func trusted<Value: ~Copyable>(
    _ name: [UInt8]?, _ body: (TPMConversation) throws(TPMError) -> Value
  ) throws(Failure) -> Value {
    do throws(TPMError) {
      return try talk(to: name, body)
    } catch {
      throw Failure(error)
    }
  }

  /// Ends the conversation.
  func hangUp() { current = nil }
}

extension PlatformTPM: TPMTransport {
  func exchange(_ command: Span<UInt8>) throws(TPMError) -> [UInt8] {
    let now = platform.bootTime
    guard now < deadline else { throw .late }
    var response: [UInt8] = []
    let status = platform.transmitToTPM(
      command, milliseconds: UInt32((deadline - now) / 1_000_000), response: &response)
    switch Int(status) {
    case AC_OK: return response
    case AC_ERR_NOT_FOUND: throw .absent
    case AC_ERR_PERMISSION: throw .forbidden
    case AC_ERR_BUSY: throw .busy
    case AC_ERR_TIMEOUT: throw .late
    case AC_ERR_PROTOCOL: throw .garbled
    default: throw .lost
    }
  }
}

extension Failure {
  /// The failure of a TPM that keeps the root key.
  init(_ error: TPMError) {
    switch error {
    case .absent:
      self.init(
        .tpmNotFound, "the TPM that keeps the root key of this state folder is not there",
        hint:
          "switch it on in the firmware, or load its driver; nothing is lost: see authcore doctor")
    case .lost:
      self.init(
        .tpmNotFound, "the connection to the TPM that keeps the root key broke off",
        hint: "run the command again: the enclave restarts, locked; nothing is lost")
    case .forbidden:
      self.init(
        .tpmNotPermitted, "the TPM that keeps the root key of this state folder may not be used",
        hint: """
          whoever runs the core (the service: authcore) has to be in the group of /dev/tpmrm0 (tss): \
          sudo usermod -aG tss NAME, log in again, \(Failure.endingTheCore)
          """)
    case .busy, .late, .crowded:
      self.init(
        .tpmBusy, "the TPM that keeps the root key does not answer in time",
        hint: "another program may be using it: try again; nothing is lost")
    case .lockedOut:
      self.init(
        .tpmLockout, "the TPM has seen too many wrong passcodes, and takes none for a while",
        hint: "wait, and do not try meanwhile: no passcode is judged, not even the right one")
    case .foreign:
      self.init(
        .tpmReplaced,
        """
        the TPM is not the one that keeps the root key of this state folder, or it has been cleared: \
        what was bound to this device cannot be opened with it
        """,
        hint: """
          put the right TPM back; without it, what is here is lost by design: begin anew with \
          authcore passcode set --yes, which sets the old files aside, then bring back what a backup \
          holds: authcore backup restore FILE
          """)
    case .garbled, .wrongAuthorization, .noIndex, .indexTaken:
      self.init(
        .tpmFailed, "the TPM answers what makes no sense",
        hint: "something stands between it and authcore, or it is faulty; nothing was changed")
    case .refused(let reason):
      self.init(
        .tpmFailed, "the TPM refuses what authcore needs of it: \(reason)",
        hint: "its owner hierarchy may have a password; nothing was changed")
    }
  }

  /// Whether it ends when the TPM works again.
  var concernsTPM: Bool {
    switch code {
    case .tpmNotFound, .tpmNotPermitted, .tpmBusy, .tpmReplaced, .tpmFailed: true
    default: false
    }
  }

  /// `seconds` is the time in which the TPM forgets one wrong passcode.
  static func tpmLockout(seconds: UInt32) -> Failure {
    let minutes = (seconds + 59) / 60
    return Failure(
      .tpmLockout, "the TPM has seen too many wrong passcodes, and takes none for a while",
      hint: """
        it takes another one after \(minutes) minutes at most; until then none is judged, not even the \
        right one
        """)
  }
}
