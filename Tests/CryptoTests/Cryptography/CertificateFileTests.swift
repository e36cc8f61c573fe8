import Cryptography
import TestSupport
import Testing

@Suite("Files of certificates", .timeLimit(.minutes(15)))
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
