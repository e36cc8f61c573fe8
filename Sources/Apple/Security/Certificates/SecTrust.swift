public import CoreFoundationTypes
import Foundation
import Synchronization

/// The criteria for a certificate. Any thread.
public final class SecPolicy: NSObject, @unchecked Sendable {
  // Sendable: it is immutable.
  let purpose: ChainQuestion.Purpose
  let host: String?

  init(_ purpose: ChainQuestion.Purpose, host: String? = nil) {
    (self.purpose, self.host) = (purpose, host)
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecPolicy else { return false }
    return purpose == other.purpose && host == other.host
  }

  public override var hash: Int { host?.hashValue ?? 0 }
}

/// The number of the class of policies.
@discardableResult public func SecPolicyGetTypeID() -> CFTypeID {
  typeIdentifier(of: SecPolicy.self)
}

/// Checks only signatures, dates and authorities.
@discardableResult public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.any) }

/// Also checks what TLS demands.
/// - Parameters:
///   - server: whether the certificate is a server's; else it is a client's.
///   - hostname: the name or address of the host it must be for, or nil for any.
/// - Returns: the policy.
@discardableResult public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?)
  -> SecPolicy
{
  SecPolicy(server ? .server : .client, host: hostname.map { $0 as String })
}

/// Decides whether a certificate is trusted. Any thread.
///
/// Signatures, dates, purposes and names are checked with what is available: nothing is fetched
/// from a network, so that missing intermediate certificates have to be given, and revocation is
/// not checked. The authorities are those of `/etc/ssl/certs`.
public final class SecTrust: NSObject, @unchecked Sendable {
  // Sendable: mutable state is behind a lock.
  private let state: Mutex<State>

  struct State {
    var question: ChainQuestion
    var policies: [SecPolicy]
    /// Nil after a change.
    var answer: ChainAnswer?
    /// How often the question was changed.
    var changes = 0
  }

  init(_ certificates: [SecCertificate], _ policies: [SecPolicy]) {
    state = Mutex(
      State(question: ChainQuestion(certificates: certificates.map(\.der)), policies: policies))
  }

  /// Changes the question, and forgets the answer.
  func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      state.answer = nil
      state.changes += 1
    }
  }

  /// The moment at which the certificate must be valid.
  var time: Int64? { state.withLock { $0.question.time } }

  /// In DER: the certificate in question first, then the others.
  var certificates: [[UInt8]] { state.withLock { $0.question.certificates } }

  /// The answer, if it is known.
  var known: ChainAnswer? { state.withLock { $0.answer } }

  /// The answer by all policies: the first that does not trust decides.
  func answer() -> ChainAnswer {
    if let known { return known }
    let asked = state.withLock { $0 }
    let questions = asked.policies.map { policy in
      var question = asked.question
      (question.purpose, question.host) = (policy.purpose, policy.host)
      return question
    }
    // There is at least one policy.
    var answer = questions[0].answer()
    for question in questions.dropFirst() where answer.problem == nil {
      answer = question.answer()
    }
    state.withLock { state in
      if state.changes == asked.changes { state.answer = answer }
    }
    return answer
  }
}

/// The number of the class of trusts.
@discardableResult public func SecTrustGetTypeID() -> CFTypeID { typeIdentifier(of: SecTrust.self) }

/// Makes a trust for a certificate.
/// - Parameters:
///   - certificates: a `SecCertificate`, or an array of them with the one in question first.
///   - policies: a `SecPolicy`, or an array of them; nil for ``SecPolicyCreateBasicX509()``.
///   - trust: receives the trust, which the caller owns.
/// - Returns: `errSecSuccess`; `errSecParam` for anything else.
@discardableResult public func SecTrustCreateWithCertificates(
  _ certificates: CFTypeRef, _ policies: CFTypeRef?, _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
  guard let given = oneOrMore(certificates, SecCertificate.self), !given.isEmpty,
    let asked = policies.map({ oneOrMore($0, SecPolicy.self) }) ?? [SecPolicyCreateBasicX509()],
    !asked.isEmpty
  else { return errSecParam }
  unsafe trust.pointee = SecTrust(given, asked)
  return errSecSuccess
}

/// Replaces the policies by a `SecPolicy` or an array of them. Returns `errSecSuccess`, or
/// `errSecParam` for anything else.
@discardableResult public func SecTrustSetPolicies(
  _ trust: SecTrust, _ policies: CFTypeRef
) -> OSStatus {
  guard let asked = oneOrMore(policies, SecPolicy.self), !asked.isEmpty else { return errSecParam }
  trust.change { $0.policies = asked }
  return errSecSuccess
}

/// Replaces the system's authorities by anchors, unless ``SecTrustSetAnchorCertificatesOnly(_:_:)``
/// keeps both.
/// - Parameters:
///   - trust: the trust.
///   - anchorCertificates: `SecCertificate`s; nil restores the system's authorities.
/// - Returns: `errSecSuccess`; `errSecParam` for anything else.
@discardableResult public func SecTrustSetAnchorCertificates(
  _ trust: SecTrust, _ anchorCertificates: CFArray?
) -> OSStatus {
  guard let anchors = anchorCertificates else {
    trust.change { ($0.question.anchors, $0.question.trustsSystem) = ([], true) }
    return errSecSuccess
  }
  guard let given = oneOrMore(anchors, SecCertificate.self) else { return errSecParam }
  trust.change { ($0.question.anchors, $0.question.trustsSystem) = (given.map(\.der), false) }
  return errSecSuccess
}

/// Sets whether only the anchors are trusted, or the system's authorities as well.
@discardableResult public func SecTrustSetAnchorCertificatesOnly(
  _ trust: SecTrust, _ anchorCertificatesOnly: Bool
) -> OSStatus {
  trust.change { $0.question.trustsSystem = !anchorCertificatesOnly }
  return errSecSuccess
}

/// Sets the moment at which the certificate must be valid; by default that of the evaluation.
@discardableResult public func SecTrustSetVerifyDate(
  _ trust: SecTrust, _ verifyDate: CFDate
) -> OSStatus {
  let seconds = verifyDate.timeIntervalSince1970.rounded(.down)
  guard let time = Int64(exactly: seconds) else { return errSecParam }
  trust.change { $0.question.time = time }
  return errSecSuccess
}

/// The object, or the objects of an array, if all are of one class; else nil.
private func oneOrMore<Element>(_ object: CFTypeRef, _ type: Element.Type) -> [Element]? {
  if let one = object as? Element { return [one] }
  return object as? [Element]
}
