public import CoreFoundationTypes
import Foundation
import Synchronization

/// By what a certificate is judged. Any thread.
public final class SecPolicy: NSObject, @unchecked Sendable {
  // Sendable: nothing of it changes.
  let purpose: ChainQuestion.Purpose
  let host: String?

  init(_ purpose: ChainQuestion.Purpose, host: String? = nil) {
    (self.purpose, self.host) = (purpose, host)
  }

  /// Two are equal that ask for the same.
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

/// Signatures, dates and authorities, and nothing besides.
@discardableResult public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.any) }

/// What TLS wants besides.
/// - Parameters:
///   - server: whether the certificate is a server's; else it is a client's.
///   - hostname: the name or the address of the host that it has to be of; nil: of whichever.
/// - Returns: the policy.
@discardableResult public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?)
  -> SecPolicy
{
  SecPolicy(server ? .server : .client, host: hostname.map { $0 as String })
}

/// Whether a certificate is to be trusted. Any thread.
///
/// Signatures, dates, purposes and names are looked at, with what is at hand: nothing is fetched from
/// a network, so that a missing intermediate certificate has to be given, and nobody is asked whether
/// a certificate was revoked. Authorities are those of `/etc/ssl/certs`.
public final class SecTrust: NSObject, @unchecked Sendable {
  // Sendable: what changes is behind a lock.
  private let state: Mutex<State>

  struct State {
    var question: ChainQuestion
    var policies: [SecPolicy]
    /// Nil: nobody has asked since something changed.
    var answer: ChainAnswer?
    /// How often something changed.
    var changes = 0
  }

  init(_ certificates: [SecCertificate], _ policies: [SecPolicy]) {
    state = Mutex(
      State(question: ChainQuestion(certificates: certificates.map(\.der)), policies: policies))
  }

  /// Changes what is asked; what was answered before counts no more.
  func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      state.answer = nil
      state.changes += 1
    }
  }

  /// The moment that is asked about.
  var time: Int64? { state.withLock { $0.question.time } }

  /// In DER: what is in question first, and what was given to help.
  var certificates: [[UInt8]] { state.withLock { $0.question.certificates } }

  /// The answer, if somebody has asked.
  var known: ChainAnswer? { state.withLock { $0.answer } }

  /// The answer: by every policy, or why not by the first by which it is not to be trusted.
  func answer() -> ChainAnswer {
    if let known { return known }
    let asked = state.withLock { $0 }
    let questions = asked.policies.map { policy in
      var question = asked.question
      (question.purpose, question.host) = (policy.purpose, policy.host)
      return question
    }
    // There is a policy: without one no trust is made.
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

/// Begins to ask about a certificate.
/// - Parameters:
///   - certificates: a `SecCertificate`, or an array of them, the one in question first.
///   - policies: a `SecPolicy`, or an array of them; nil: ``SecPolicyCreateBasicX509()``.
///   - trust: where the trust goes; it is the caller's.
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

/// Replaces what a certificate is judged by.
/// - Parameters:
///   - trust: the trust.
///   - policies: a `SecPolicy`, or an array of them.
/// - Returns: `errSecSuccess`; `errSecParam` for anything else.
@discardableResult public func SecTrustSetPolicies(
  _ trust: SecTrust, _ policies: CFTypeRef
) -> OSStatus {
  guard let asked = oneOrMore(policies, SecPolicy.self), !asked.isEmpty else { return errSecParam }
  trust.change { $0.policies = asked }
  return errSecSuccess
}

/// Says whom to trust instead of the system's authorities, until
/// ``SecTrustSetAnchorCertificatesOnly(_:_:)`` has them trusted, too.
/// - Parameters:
///   - trust: the trust.
///   - anchorCertificates: `SecCertificate`s; nil: the system's authorities again.
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

/// Says whether the anchors that were set are trusted alone, or the system's authorities as well.
@discardableResult public func SecTrustSetAnchorCertificatesOnly(
  _ trust: SecTrust, _ anchorCertificatesOnly: Bool
) -> OSStatus {
  trust.change { $0.question.trustsSystem = !anchorCertificatesOnly }
  return errSecSuccess
}

/// Says at which moment a certificate has to be valid; without it, at the moment of asking.
@discardableResult public func SecTrustSetVerifyDate(
  _ trust: SecTrust, _ verifyDate: CFDate
) -> OSStatus {
  let seconds = verifyDate.timeIntervalSince1970.rounded(.down)
  guard let time = Int64(exactly: seconds) else { return errSecParam }
  trust.change { $0.question.time = time }
  return errSecSuccess
}

/// The objects of one class in an array, or the one object; nil if there is something else.
private func oneOrMore<Element>(_ object: CFTypeRef, _ type: Element.Type) -> [Element]? {
  if let one = object as? Element { return [one] }
  return object as? [Element]
}
