import CLibcrypto
package import Cryptography

/// The question whether a certificate is trusted.
package struct ChainQuestion: Sendable {
  /// In DER: the one in question first; the others may help to build a chain.
  package var certificates: [[UInt8]]
  /// In DER: certificates that are trusted, whether or not they are authorities.
  package var anchors: [[UInt8]] = []
  /// Whether the system's authorities are trusted, too: those of `/etc/ssl/certs`, or of
  /// `SSL_CERT_DIR` and `SSL_CERT_FILE`.
  package var trustsSystem = true
  /// The moment in seconds since 1970; nil for now.
  package var time: Int64?
  package var purpose = Purpose.any
  /// The name or address of the host it must be for; nil for any.
  package var host: String?

  /// What a certificate is for.
  package enum Purpose: Sendable {
    case any
    /// Authenticating a server.
    case server
    /// Authenticating a client.
    case client
  }

  package init(certificates: [[UInt8]]) { self.certificates = certificates }
}

/// The answer whether a certificate is trusted.
package struct ChainAnswer: Sendable {
  /// Nil if it is trusted.
  package let problem: Problem?
  /// In DER: the chain as far as it was built, the one in question first.
  package let chain: [[UInt8]]

  /// Why a certificate is not trusted.
  package enum Problem: Error, Equatable, Sendable {
    /// A certificate of the chain has expired.
    case expired
    /// A certificate of the chain is not valid yet.
    case notYetValid
    /// The chain does not end with a trusted certificate.
    case noAnchor
    /// It is not for this host.
    case otherHost
    /// It, or one above it, is not for this purpose.
    case otherPurpose
    /// A signature does not fit, or can be forged.
    case badSignature
    /// The bytes are not a certificate.
    case malformed
    /// Another reason of libcrypto (`X509_verify_cert_error_string(3)`).
    case other(String)
  }
}

extension ChainQuestion {
  /// Builds a chain and checks it (RFC 5280 §6) with what is available: nothing is fetched, and
  /// revocation is not checked.
  ///
  /// Any thread; reads files if the system's authorities are trusted.
  package func answer() -> ChainAnswer {
    // To libcrypto an empty name would mean any host.
    if host?.isEmpty == true { return ChainAnswer(problem: .otherHost, chain: []) }
    guard Libcrypto.isStarted, let context = X509Context(self) else {
      return ChainAnswer(problem: .malformed, chain: [])
    }
    defer { Libcrypto.forgetErrors() }
    return ChainAnswer(problem: context.verify(), chain: context.chain())
  }
}

/// One call of libcrypto's X509_verify_cert(3).
@safe private final class X509Context {
  private let context: OpaquePointer
  private let store: OpaquePointer
  private var certificates: [OpaquePointer] = unsafe []
  private let others: OpaquePointer

  /// Nil if the bytes are not certificates, or there are none.
  init?(_ question: ChainQuestion) {
    guard let context = unsafe X509_STORE_CTX_new(), let store = unsafe X509_STORE_new(),
      let others = unsafe OPENSSL_sk_new_null()
    else { return nil }
    unsafe self.context = context
    unsafe self.store = store
    unsafe self.others = others
    for der in question.certificates {
      guard let certificate = unsafe read(der) else { return nil }
      guard
        unsafe certificates.count == 1 || OPENSSL_sk_push(others, UnsafeRawPointer(certificate)) > 0
      else { return nil }
    }
    for der in question.anchors {
      guard let anchor = unsafe read(der), unsafe X509_STORE_add_cert(store, anchor) == 1 else {
        return nil
      }
    }
    if question.trustsSystem { unsafe X509_STORE_set_default_paths(store) }
    guard !question.certificates.isEmpty,
      unsafe X509_STORE_CTX_init(context, store, certificates[0], others) == 1,
      configure(question)
    else { return nil }
  }

  deinit {
    unsafe X509_STORE_CTX_free(context)
    unsafe X509_STORE_free(store)
    unsafe OPENSSL_sk_free(others)
    unsafe certificates.forEach { unsafe X509_free($0) }
  }

  /// Reads a certificate and keeps it until the question is answered.
  @unsafe private func read(_ der: [UInt8]) -> OpaquePointer? {
    let read = unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var next = bytes.baseAddress
      guard let read = unsafe d2i_X509(nil, &next, bytes.count) else { return nil }
      guard unsafe next == bytes.baseAddress.map({ unsafe $0 + bytes.count }) else {
        unsafe X509_free(read)
        return nil
      }
      return unsafe read
    }
    if let read = unsafe read { unsafe certificates.append(read) }
    return unsafe read
  }

  private func configure(_ question: ChainQuestion) -> Bool {
    guard let parameters = unsafe X509_STORE_CTX_get0_param(context) else { return false }
    // Anchors are trusted whether or not they are self-signed.
    unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_PARTIAL_CHAIN))
    // 112 bits: no RSA below 2,048 bits and no SHA-1 in between.
    unsafe X509_VERIFY_PARAM_set_auth_level(parameters, 2)
    if let time = question.time { unsafe X509_VERIFY_PARAM_set_time(parameters, Int(time)) }
    let purpose =
      switch question.purpose {
      case .any: unsafe X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY)
      case .server: unsafe X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_SERVER)
      case .client: unsafe X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_CLIENT)
      }
    guard purpose == 1 else { return false }
    guard let host = question.host else { return true }
    return unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, host) == 1
      || X509_VERIFY_PARAM_set1_host(parameters, host, host.utf8.count) == 1
  }

  /// Nil if the certificate is trusted.
  func verify() -> ChainAnswer.Problem? {
    guard unsafe X509_verify_cert(context) != 1 else { return nil }
    let code = unsafe X509_STORE_CTX_get_error(context)
    switch code {
    case X509_V_ERR_CERT_HAS_EXPIRED: return .expired
    case X509_V_ERR_CERT_NOT_YET_VALID: return .notYetValid
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_CERT_UNTRUSTED:
      return .noAnchor
    case X509_V_ERR_HOSTNAME_MISMATCH, X509_V_ERR_IP_ADDRESS_MISMATCH: return .otherHost
    case X509_V_ERR_INVALID_PURPOSE, X509_V_ERR_INVALID_CA, X509_V_ERR_CERT_REJECTED:
      return .otherPurpose
    case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE,
      X509_V_ERR_CA_MD_TOO_WEAK, X509_V_ERR_CA_KEY_TOO_SMALL, X509_V_ERR_EE_KEY_TOO_SMALL:
      return .badSignature
    default:
      let text = unsafe X509_verify_cert_error_string(Int(code)).map { unsafe String(cString: $0) }
      return .other(text ?? "reason \(code)")
    }
  }

  func chain() -> [[UInt8]] {
    let chain = unsafe X509_STORE_CTX_get0_chain(context)
    return unsafe (0..<max(0, OPENSSL_sk_num(chain))).compactMap { index -> [UInt8]? in
      guard let certificate = unsafe OPENSSL_sk_value(chain, index) else { return nil }
      return unsafe Libcrypto.encoded { unsafe i2d_X509(OpaquePointer(certificate), $0) }
    }
  }
}

extension SoftwarePublicKey {
  /// The public key of a certificate, or nil if its kind is not handled here.
  package init?(of certificate: CertificateDetails) {
    // A point begins with 4, a SEQUENCE with 30 (hexadecimal).
    let family: SoftwareKeyFamily =
      certificate.keyBits.first == DERReader.sequence ? .rsa : .curve
    guard let key = try? SoftwarePublicKey(external: certificate.keyBits.span, of: family) else {
      return nil
    }
    self = key
  }
}
