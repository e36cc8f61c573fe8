import Cryptography
import Foundation
import TestSupport
import Testing

/// The certificates of Fixtures are of `openssl req -x509`, and what is expected of them is what
/// OpenSSL and python3-cryptography say.
@Suite("Certificates", .timeLimit(.minutes(60)))
struct CertificateTests {
  private func fixture(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let file = try Data(contentsOf: folder.appending(path: "Fixtures/certificate-\(name).pem"))
    let found = try CertificateFile(Array(file).span)
    #expect(found.certificates.count == 1 && found.others.isEmpty)
    return try #require(found.certificates.first)
  }

  private func read(_ der: [UInt8]) throws(X509Certificate.Problem) -> X509Certificate {
    try X509Certificate(der: der.span)
  }

  @Test("K1: a certificate of a P-256 key is read as OpenSSL reads it")
  func p256() throws {
    let read = try read(fixture("p256"))
    let name = hex(
      """
      304e310b300906035504061302444531163014060355040a0c0d4578616d706c6520576f726b733127300c060355040b\
      0c055465737473301706035504030c10703235362e6578616d706c652e6f7267
      """)
    #expect(read.version == 3)
    #expect(read.subject == name && read.issuer == name)
    #expect(read.serialNumber == hex("00A1B2C3D4E5F60718293A4B5C6D7E8F9001"))
    #expect(read.publicKeyHash == hex("BA2A4181B9E6E2EAD3A309B872564AAF4C2AADBF"))
    #expect(read.subjectKeyID == read.publicKeyHash)
    let subject = try #require(DistinguishedName(der: read.subject))
    #expect(subject.text == "OU=Tests+CN=p256.example.org, O=Example Works, C=DE")
    #expect(subject.summary == "p256.example.org")
  }

  @Test("K1: a certificate of an RSA key, whose name needs escaping, is read as OpenSSL reads it")
  func rsa() throws {
    let read = try read(fixture("rsa4096"))
    #expect(read.version == 3 && read.serialNumber == [0x10, 0])
    #expect(read.publicKeyHash == hex("5981A254A5DCFF68E687E4FDB570699D79D9F6CD"))
    let subject = try #require(DistinguishedName(der: read.subject))
    #expect(subject.text == "CN=Größe\\, \\\"RSA\\\" 4096\\; #1, O=Example Works")
    #expect(subject.summary == "Größe, \"RSA\" 4096; #1")
  }

  @Test("K1: a certificate of version 1 is one, without a key identifier")
  func versionOne() throws {
    let read = try read(fixture("v1"))
    #expect(read.version == 1 && read.serialNumber == [1] && read.subjectKeyID == nil)
    #expect(read.publicKeyHash == hex("42A5508D39B9E78343C1E82E95B2AEDEA71F3CF6"))
    let subject = try #require(DistinguishedName(der: read.subject))
    #expect(subject.text == "emailAddress=v1@example.org, O=Example Works")
    #expect(subject.summary == "Example Works")
  }

  private let point = [4] + [UInt8](repeating: 7, count: 64)

  @Test("the hash of a key on a curve is that of its point")
  func pointHash() throws {
    let key = try P256PrivateKey().publicKey
    let certificate = try read(TestCertificate(point: key.point).der())
    #expect(try certificate.publicKeyHash == SHA1.hash(key.point.span))
    #expect(
      try SHA1.hash(Array("abc".utf8).span) == hex("A9993E364706816ABA3E25717850C26C9CD0D89D"))
  }

  @Test("names with text of every kind, without text, and with types nobody knows are shown")
  func oddNames() throws {
    typealias Maker = TestCertificate
    func text(_ value: [UInt8], type: [UInt8] = [0x55, 0x04, 0x03]) -> String? {
      DistinguishedName(der: DER.sequence(Maker.part(type, value)))?.text
    }
    #expect(text(DER.value(0x1E, [0, 0x41, 0x20, 0xAC])) == "CN=A€")
    #expect(text(DER.value(0x1C, [0, 1, 0xF6, 0])) == "CN=😀")
    #expect(text(DER.value(0x14, [0xE9])) == "CN=é")
    #expect(text(DER.value(0x13, Array(" #a ".utf8))) == "CN=\\ #a\\ ")
    #expect(text(DER.text("a\0b\u{1B}[2J")) == "CN=a\0b\u{1B}[2J")
    #expect(text(DER.bits([1, 0xFF])) == "CN=#01ff")
    #expect(text(DER.value(0x02, [1])) == nil)
    #expect(text(DER.text("x"), type: [0x2A, 0x03, 0x04]) == "1.2.3.4=x")
    #expect(text([]) == nil)
    #expect(DistinguishedName(der: [0x30, 0])?.text == "")
    #expect(DistinguishedName(der: [0x30, 0])?.summary == nil)
    #expect(DistinguishedName(der: [0x30, 0, 0]) == nil)
    #expect(DistinguishedName(der: []) == nil)
  }

  @Test("an unknown version, a serial number with a byte too many, and no name at all")
  func oddFields() throws {
    var maker = TestCertificate(point: point)
    for version in [[0], [1], [2]] as [[UInt8]] {
      maker.version = version
      #expect(try Int(version[0]) + 1 == read(maker.der()).version)
    }
    for version in [[3], [0xFF], [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]] as [[UInt8]] {
      maker.version = version
      #expect(throws: X509Certificate.Problem.unknownVersion) { try read(maker.der()) }
    }
    maker.version = [1] + [UInt8](repeating: 0, count: 40)
    #expect(throws: X509Certificate.Problem.self) { try read(maker.der()) }
    maker.version = nil
    #expect(try read(maker.der()).version == 1)
    for serial in [[0, 1], [0xFF, 0x80], []] as [[UInt8]] {
      maker.serialNumber = serial
      #expect(throws: X509Certificate.Problem.malformed) { try read(maker.der()) }
    }
    for serial in [[0], [0x80], [0xFF, 0x7F], [0, 0x80] + [UInt8](repeating: 3, count: 300)] {
      maker.serialNumber = serial
      #expect(try read(maker.der()).serialNumber == serial)
    }
    maker.subject = DER.sequence()
    #expect(try read(maker.der()).subject == [0x30, 0])
    maker.extensions = [TestCertificate.keyID([1, 2, 3])]
    #expect(try read(maker.der()).subjectKeyID == [1, 2, 3])
    maker.extensions = [TestCertificate.extension([0x55, 0x1D, 0x0E], [4, 9, 1])]
    #expect(try read(maker.der()).subjectKeyID == nil)
  }

  /// Seconds of the processor that this thread took: other threads and programs do not count.
  private func secondsOfThread() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec
  }

  @Test("a certificate for 2,000 hosts, and ones of a mebibyte, are read in seconds")
  func large() throws {
    var maker = TestCertificate(point: point)
    maker.extensions = [TestCertificate.hosts((0..<2000).map { "host-\($0).example.org" })]
    let many = maker.der()
    #expect(many.count > 40_000)
    #expect(try read(many).version == 3)
    // What makes a reader work most: the most names there can be, the most extensions, a key of a
    // megabyte.
    let part = TestCertificate.part([0x55, 0x04, 0x03], DER.text("a"))
    var hostile = TestCertificate(point: point)
    hostile.subject = DER.sequence([[UInt8]](repeating: part, count: 70_000).flatMap(\.self))
    let names = hostile.der()
    hostile = TestCertificate(point: [UInt8](repeating: 4, count: 1_000_000))
    let key = hostile.der()
    hostile = TestCertificate(point: point)
    hostile.extensions = [[UInt8]](
      repeating: TestCertificate.extension([0x55, 0x1D, 0x11], []), count: 90_000)
    for der in [names, key, hostile.der()] {
      let start = secondsOfThread()
      let found = try read(der)
      let seconds = secondsOfThread() - start
      #expect(found.serialNumber == [1])
      #expect(seconds < 10, "\(der.count) bytes: \(seconds) s")
    }
  }

  @Test("bytes behind it, a length in another form, nesting without end: none is a certificate")
  func notCanonical() throws {
    let good = TestCertificate(point: point).der()
    #expect(try read(good).version == 3)
    let body = good[(2 + Int(good[1] & 0x7F))...]
    var wrong: [[UInt8]] = [
      [], [0x30], [0x30, 0x80], [0x30, 0], good + [0], good + good,
      [0x30, 0x80] + body + [0, 0],
      [0x30, 0x84, 0, 0, UInt8(body.count >> 8), UInt8(truncatingIfNeeded: body.count)] + body,
      [0x31] + good[1...], [0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], [0x30, 0x88] + good,
    ]
    wrong.append([UInt8](repeating: 0x30, count: 100_000))
    wrong.append((0..<50_000).flatMap { _ in [0x30, 0x80] as [UInt8] })
    for bytes in wrong {
      #expect(throws: X509Certificate.Problem.malformed) { try read(bytes) }
    }
  }

  @Test("every truncation is refused, and every changed byte gives a certificate or a problem")
  func damaged() throws {
    for der in try [fixture("p256"), fixture("v1")] {
      for count in der.indices {
        #expect(throws: X509Certificate.Problem.malformed) { try read(Array(der[..<count])) }
      }
      var taken = 0
      for index in der.indices {
        for change in [0x01, 0x80, 0xFF] as [UInt8] {
          var changed = der
          changed[index] ^= change
          guard let certificate = try? read(changed) else { continue }
          taken += 1
          #expect(certificate.publicKeyHash.count == 20)
          #expect(DistinguishedName(der: certificate.subject) != nil)
        }
      }
      // Nothing but its form is looked at, so a change of a key or of a date goes through.
      #expect(taken > der.count / 2)
    }
  }
}

@Suite("Files of certificates", .timeLimit(.minutes(60)))
struct CertificateFileTests {
  private func read(_ text: String) throws(CertificateFile.Problem) -> CertificateFile {
    try CertificateFile(Array(text.utf8).span)
  }

  private func block(_ label: String, _ body: String, end: String = "\n") -> String {
    "-----BEGIN \(label)-----\(end)\(body)\(end)-----END \(label)-----\(end)"
  }

  @Test("K1: one in DER is itself; in PEM there may be several, with text and keys between them")
  func several() throws {
    let der = TestCertificate(point: [4]).der()
    #expect(try CertificateFile(der.span).certificates == [der])
    let text =
      "A chain of two\n" + block("CERTIFICATE", "AQID\nBA==") + block("PRIVATE KEY", "?!")
      + "subject=CN = b\r\n" + block("X509 CERTIFICATE", "  /+8= ", end: "\r\n")
    let found = try read(text)
    #expect(found.certificates == [[1, 2, 3, 4], [0xFF, 0xEF]])
    #expect(found.others == ["PRIVATE KEY"])
  }

  @Test("what is no base64, does not end, or holds no certificate is refused, naming the line")
  func malformed() throws {
    for body in ["", "A", "AQI", "AQ=D", "AQ==AQ==", "A===", "AR==", "AQJ=", "AQ I=", "AQ-_", "ä"] {
      #expect(throws: CertificateFile.Problem.malformed(line: 2), "\(body)") {
        try read("\n" + block("CERTIFICATE", body))
      }
    }
    #expect(throws: CertificateFile.Problem.unfinished(line: 1)) {
      try read("-----BEGIN CERTIFICATE-----\nAQID\n")
    }
    #expect(throws: CertificateFile.Problem.unfinished(line: 1)) {
      try read("-----BEGIN CERTIFICATE-----\nAQID\n" + block("CERTIFICATE", "AQID"))
    }
    let without = [
      "", "0", "hello", block("PRIVATE KEY", "AQID"), "-----END CERTIFICATE-----",
      block("TRUSTED CERTIFICATE", "AQID"), "-----BEGIN -----\n",
    ]
    for text in without {
      #expect(throws: CertificateFile.Problem.noCertificate, "\(text)") { try read(text) }
    }
  }

  @Test("any bytes give certificates or a problem")
  func total() throws {
    var generator = SystemRandomNumberGenerator()
    let words = ["-----BEGIN ", "-----END ", "CERTIFICATE", "-----", "\n", "AQID", "=", "\r", "\0"]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 0..<12, using: &generator)).map { _ in words.randomElement()! }
      _ = try? read(text.joined())
    }
  }
}
