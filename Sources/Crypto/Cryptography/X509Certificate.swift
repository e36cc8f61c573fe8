import CLibcrypto
import Glibc

/// The parts of a certificate that a keychain finds it by (X.509, RFC 5280).
///
/// Nothing is verified, neither signature nor dates nor extensions: anybody can make a certificate
/// that says anything.
package struct X509Certificate: Equatable, Sendable {
  /// 1…3.
  package let version: Int
  /// DER of the Name, as in the certificate.
  package let subject: [UInt8]
  /// DER of the Name, as in the certificate.
  package let issuer: [UInt8]
  /// Content octets of the INTEGER: big endian, in two's complement, minimal.
  package let serialNumber: [UInt8]
  /// The key identifier that the certificate states; nil if it is missing, unreadable or longer
  /// than 127 bytes.
  package let subjectKeyID: [UInt8]?
  /// SHA-1 of the bits of the public key, 20 bytes: the key identifier of RFC 5280 §4.2.1.2 (1).
  /// For a key on a curve, the hash of its point.
  package let publicKeyHash: [UInt8]

  package enum Problem: Error, Equatable, Sendable {
    /// Not one certificate in DER with nothing behind it.
    case malformed
    case unknownVersion
    case failed(CryptographyError)
  }

  /// Reads one certificate in DER.
  /// - Parameter der: nothing may come behind it. The caller bounds its length.
  /// - Throws: ``Problem``.
  package init(der: Span<UInt8>) throws(Problem) {
    guard let certificate = LibcryptoCertificate(der: der) else { throw .malformed }
    version = certificate.version()
    guard (1...3).contains(version) else { throw .unknownVersion }
    subject = certificate.subject()
    issuer = certificate.issuer()
    serialNumber = certificate.serialNumber()
    subjectKeyID = certificate.subjectKeyID()
    guard !subject.isEmpty, !issuer.isEmpty, !serialNumber.isEmpty else { throw .malformed }
    do throws(CryptographyError) {
      publicKeyHash = try SHA1.hash(certificate.keyBits().span)
    } catch {
      throw .failed(error)
    }
  }
}

/// Other statements of a certificate (X.509, RFC 5280), not verified.
package struct CertificateDetails: Equatable, Sendable {
  /// In seconds since 1970.
  package let validity: ClosedRange<Int64>?
  /// The bits of the public key: a point of a curve, or a key of PKCS #1 for RSA.
  package let keyBits: [UInt8]
  /// Mail addresses of the subject.
  package let emailAddresses: [String]

  /// Reads one certificate in DER with nothing behind it.
  package init?(der: Span<UInt8>) {
    guard let certificate = LibcryptoCertificate(der: der) else { return nil }
    validity = certificate.validity()
    keyBits = certificate.keyBits()
    emailAddresses = certificate.emailAddresses()
  }
}

/// A certificate in libcrypto's form.
@safe struct LibcryptoCertificate: ~Copyable {
  private let certificate: OpaquePointer

  /// Nil unless the bytes are exactly one certificate, in the encoding that libcrypto would give
  /// it.
  init?(der: Span<UInt8>) {
    guard Libcrypto.isStarted else { return nil }
    let read = unsafe der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var next = bytes.baseAddress
      return unsafe d2i_X509(nil, &next, bytes.count)
    }
    Libcrypto.forgetErrors()
    guard let read = unsafe read else { return nil }
    let encoded = unsafe Libcrypto.encoded { unsafe i2d_X509(read, $0) }
    guard encoded.count == der.count, encoded.indices.allSatisfy({ encoded[$0] == der[$0] }) else {
      unsafe X509_free(read)
      return nil
    }
    unsafe certificate = read
  }

  /// 1…3, or an invalid number.
  borrowing func version() -> Int { unsafe X509_get_version(certificate) &+ 1 }

  /// DER, byte for byte as in the certificate.
  borrowing func subject() -> [UInt8] {
    unsafe Libcrypto.encoded { unsafe i2d_X509_NAME(X509_get_subject_name(certificate), $0) }
  }

  /// DER, byte for byte as in the certificate.
  borrowing func issuer() -> [UInt8] {
    unsafe Libcrypto.encoded { unsafe i2d_X509_NAME(X509_get_issuer_name(certificate), $0) }
  }

  /// Content octets of the INTEGER. libcrypto checks that they are minimal (X.690 §8.3.2).
  borrowing func serialNumber() -> [UInt8] {
    let integer = unsafe Libcrypto.encoded {
      unsafe i2d_ASN1_INTEGER(X509_get0_serialNumber(certificate), $0)
    }
    // A tag; then a length in one byte below 128, or the number of its bytes and these.
    guard integer.count > 2 else { return [] }
    return Array(integer.dropFirst(integer[1] < 0x80 ? 2 : 2 + Int(integer[1] & 0x7F)))
  }

  borrowing func keyBits() -> [UInt8] {
    unsafe Libcrypto.bytes(of: X509_get0_pubkey_bitstr(certificate))
  }

  /// The subject key identifier extension (RFC 5280 §4.2.1.2), if it is there and readable.
  ///
  /// Read by itself: `X509_get0_subject_key_id(3)` would read every extension.
  borrowing func subjectKeyID() -> [UInt8]? {
    let index = unsafe X509_get_ext_by_NID(certificate, NID_subject_key_identifier, -1)
    guard index >= 0, let found = unsafe X509_get_ext(certificate, index) else { return nil }
    let value = unsafe Libcrypto.bytes(of: X509_EXTENSION_get_data(found))
    guard value.count >= 2, value[0] == UInt8(V_ASN1_OCTET_STRING), value[1] < 0x80,
      value.count == 2 + Int(value[1])
    else { return nil }
    return Array(value[2...])
  }

  /// In seconds since 1970; nil if it is not a span of time.
  borrowing func validity() -> ClosedRange<Int64>? {
    guard let start = unsafe Libcrypto.seconds(X509_get0_notBefore(certificate)),
      let end = unsafe Libcrypto.seconds(X509_get0_notAfter(certificate)), start <= end
    else { return nil }
    return start...end
  }

  /// Mail addresses of the subject and its alternative names.
  borrowing func emailAddresses() -> [String] {
    let found = unsafe X509_get1_email(certificate)
    defer {
      unsafe X509_email_free(found)
      Libcrypto.forgetErrors()
    }
    return unsafe (0..<max(0, OPENSSL_sk_num(found))).compactMap { index in
      unsafe OPENSSL_sk_value(found, index).map {
        unsafe String(cString: $0.assumingMemoryBound(to: CChar.self))
      }
    }
  }

  deinit { unsafe X509_free(certificate) }
}

extension Libcrypto {
  /// The output of an `i2d_…` function; empty if it fails.
  @unsafe package static func encoded(
    _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
  ) -> [UInt8] {
    let count = encode(nil)
    guard count > 0 else {
      forgetErrors()
      return []
    }
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { target, written in
      var next = target.baseAddress
      written = unsafe Int(encode(&next))
    }
  }

  /// In seconds since 1970.
  @unsafe static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var parts = unsafe tm()
    guard let time = unsafe time, unsafe ASN1_TIME_to_tm(time, &parts) == 1 else {
      forgetErrors()
      return nil
    }
    return unsafe Int64(timegm(&parts))
  }

  /// The bytes of a libcrypto string of any kind.
  @unsafe static func bytes(of string: UnsafePointer<ASN1_STRING>?) -> [UInt8] {
    guard let string = unsafe string else { return [] }
    return unsafe Array(
      UnsafeBufferPointer(
        start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
  }
}
