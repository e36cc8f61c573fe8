/// Whether a certificate is to be trusted: what is asked.
package struct ChainQuestion: Sendable {
  /// In DER, the one in question first; the others may help to build a chain.
  package var certificates: [[UInt8]]
  /// In DER: what is trusted without a reason, be they authorities or not.
  package var anchors: [[UInt8]] = []
  /// Whether the authorities of this system are trusted, too: those of `/etc/ssl/certs`, or where the
  /// environment says that they lie (`SSL_CERT_DIR`, `SSL_CERT_FILE`).
  package var trustsSystem = true
  /// At which moment, in seconds since 1970; nil: at this one.
  package var time: Int64?
  /// What it is to be for.
  package var purpose = Purpose.any
  /// The name or the address of the host that it has to be of; nil: of whomever.
  package var host: String?

  /// What a certificate is for.
  package enum Purpose: Sendable {
    case any
    /// Saying who a server is.
    case server
    /// Saying to a server who one is.
    case client
  }

  /// About a certificate, and others that may help.
  package init(certificates: [[UInt8]]) { self.certificates = certificates }
}

/// Whether a certificate is to be trusted: what the answer is.
package struct ChainAnswer: Sendable {
  /// Nil: it is to be trusted.
  package let problem: Problem?
  /// In DER, the one in question first, as far as a chain was built.
  package let chain: [[UInt8]]

  /// Why a certificate is not to be trusted.
  package enum Problem: Error, Equatable, Sendable {
    /// One of the chain is valid no more.
    case expired
    /// One of the chain is not valid yet.
    case notYetValid
    /// The chain ends with nobody who is trusted.
    case noAnchor
    /// It is not of the host.
    case otherHost
    /// It, or one above it, is not for this.
    case otherPurpose
    /// A signature does not fit, or is of a kind that anybody can make.
    case badSignature
    /// The bytes are no certificate.
    case malformed
    /// What else libcrypto says (`X509_verify_cert_error_string(3)`).
    case other(String)
  }
}
