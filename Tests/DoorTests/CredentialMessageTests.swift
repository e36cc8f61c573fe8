import Protocol
import Testing

@testable import docker_credential_authcore

@Suite("Messages of docker's credential helpers")
struct CredentialMessageTests {
  private func read(_ text: String) throws(Failure) -> CredentialMessage {
    try CredentialMessage(Array(text.utf8).span)
  }

  private func text(_ secret: borrowing SecretBytes) -> String {
    String(decoding: secret.copied, as: UTF8.self)
  }

  @Test("K8: a login is read as clients write it, and written so that they read the same")
  func roundTrip() throws {
    let login = try read(
      #" { "ServerURL" : "https://index.docker.io/v1/","Username":"\u003ctoken\u003e","Other":"x","#
        + #""Secret":"a\"\\\/\b\f\n\r\t\u0000\ud83d\ude00ü€"}"# + "\n")
    #expect(login.server == "https://index.docker.io/v1/" && login.user == "<token>")
    let secret = "a\"\\/\u{8}\u{C}\n\r\t\u{0}😀ü€"
    #expect(text(login.secret) == secret)
    let written = text(login.encoded())
    #expect(written.utf8.filter { $0 == 0x0A }.count == 1 && written.hasSuffix("}\n"))
    let again = try read(written)
    #expect(again.server == login.server && again.user == login.user)
    #expect(text(again.secret) == secret)
  }

  @Test("K8: members that are missing are empty, and the last of two counts")
  func members() throws {
    let empty = try read("{}")
    #expect(empty.server.isEmpty && empty.user.isEmpty && empty.secret.count == 0)
    #expect(try read(#"{"Username":"a","Username":"b"}"#).user == "b")
  }

  @Test(
    "K8: anything but an object of texts is refused",
    arguments: [
      "", " ", "x", "[]", "{", "}", "{}x", "{}{}", #"{"a"}"#, #"{"a":}"#, #"{"a":1}"#,
      #"{"a":null}"#, #"{"a":{}}"#, #"{"a":"b",}"#, #"{"a":"b""c":"d"}"#, #"{"a":"b"#,
      #"{"a":"b\"}"#,
      #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\u12g4"}"#, #"{"a":"\ud800"}"#,
      #"{"a":"\ud800\u0041"}"#, "{\"a\":\"\n\"}", "{\"a\":\"\u{0}\"}", #"{"a":"b"}]"#,
    ])
  func malformed(text: String) {
    #expect(throws: Failure.self) { _ = try read(text) }
  }

  @Test("K8: bytes that are not UTF-8 are refused in every member")
  func notText() {
    for member in ["ServerURL", "Username", "Secret", "Other"] {
      let bytes = Array("{\"\(member)\":\"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
      #expect(throws: Failure.self) { _ = try CredentialMessage(bytes.span) }
    }
  }

  @Test("K8: every cut of a message is refused")
  func cut() {
    let whole = Array(#"{"ServerURL":"s","Username":"u","Secret":"\u00fc\ud83d\ude00"}"#.utf8)
    for count in whole.indices {
      #expect(throws: Failure.self, "\(count) bytes") {
        _ = try read(String(decoding: whole[..<count], as: UTF8.self))
      }
    }
  }
}
