import Protocol
import Testing

@testable import authcore

@Suite("What Git says of a credential")
struct CredentialDescriptionTests {
  private func read(_ text: String, isWhole: Bool = true) throws -> CredentialDescription {
    try CredentialDescription(Array(text.utf8).span, isWhole: isWhole)
  }

  private func place(of text: String) throws -> CredentialPlace? { CredentialPlace(try read(text)) }

  /// What is stored of a credential; empty without a password.
  private func joined(_ text: String) throws -> SecretBytes {
    let said = try read(text)
    guard let secret = CredentialSecret(said) else { return SecretBytes(count: 0) }
    return secret.joined()
  }

  @Test("known keys are read and others ignored, up to an empty line")
  func keys() throws {
    let said = try read(
      """
      capability[]=authtype
      capability[]=state
      protocol=https
      host=example.com:8080
      path=a=b
      username=ann
      password=x=y
      wwwauth[]=Basic realm="x"
      state[]=authcore.given=1
      password_expiry_utc=99
      nonsense=1

      host=other

      """)
    #expect(said.scheme == "https" && said.host == "example.com:8080" && said.path == "a=b")
    #expect(said.username == "ann" && said.expiry == 99 && said.keepsState && said.isOurs)
    let isPassword = said.copyOfPassword()?.isEqual(to: Array("x=y".utf8).span)
    #expect(isPassword == true)
  }

  @Test(
    "what Git never writes is refused: a zero byte, a carriage return, no key",
    arguments: [
      "host=a\0b\n", "host=a\r\n", "password=a\rb\n", "nonsense\n", "unknown=a\r\n",
    ])
  func hostile(text: String) {
    #expect(throws: Failure.self) { _ = try read(text) }
    #expect(throws: Failure.self) { _ = try read(text, isWhole: false) }
  }

  @Test("bytes that are not text are refused in names, and accepted in a password")
  func bytes() throws {
    let name: [UInt8] = Array("username=".utf8) + [0xFF, 0x0A]
    #expect(throws: Failure.self) { _ = try CredentialDescription(name.span, isWhole: true) }
    let password: [UInt8] = Array("password=".utf8) + [0xFF, 0x0A]
    let said = try CredentialDescription(password.span, isWhole: true)
    let isKept = said.copyOfPassword()?.isEqual(to: [0xFF as UInt8].span)
    #expect(isKept == true)
  }

  @Test("an unfinished last line may ask, but not store")
  func cut() throws {
    let host = try read("host=a", isWhole: false).host
    #expect(host == "a")
    #expect(throws: Failure.self) { _ = try read("host=a") }
  }

  @Test("a place is a server that items can name, and naming the default port makes no difference")
  func places() throws {
    let place = try #require(try self.place(of: "protocol=https\nhost=Example.com:443\n"))
    #expect(place.server == "example.com" && place.port == nil && place.path == "")
    let other = try #require(try self.place(of: "protocol=http\nhost=[::1]:443\npath=a.git\n"))
    #expect(other.server == "[::1]" && other.port == 443 && other.path == "/a.git")
    for text in [
      "protocol=https\n", "host=a.example\n", "protocol=cert\npath=/x\nhost=\n",
      "protocol=https\nhost=a b\n", "protocol=https\nhost=a/b\n", "protocol=https\nhost=a?x\n",
      "protocol=nonsense\nhost=a\n", "protocol=https\nhost=a:0\n",
    ] {
      #expect(try self.place(of: text) == nil, "\(text)")
    }
  }

  @Test("an item without protocol and port is for encrypted protocols on their default port alone")
  func matching() throws {
    let https = try #require(try self.place(of: "protocol=https\nhost=a.example\n"))
    let http = try #require(try self.place(of: "protocol=http\nhost=a.example\n"))
    let odd = try #require(try self.place(of: "protocol=https\nhost=a.example:444\n"))
    var item = ItemAttributes()
    item.itemClass = .internet
    item.server = "a.example"
    #expect(https.isThat(of: item) && !http.isThat(of: item) && !odd.isThat(of: item))
    item.values[.protocol] = .text("http")
    #expect(http.isThat(of: item) && !https.isThat(of: item))
    item.values[.protocol] = .text("htps")
    item.values[.port] = .number(444)
    #expect(odd.isThat(of: item) && !https.isThat(of: item))
    item.values[.authenticationType] = .text("form")
    #expect(!odd.isThat(of: item))
    item.values[.authenticationType] = nil
    item.values[.path] = .text("/a.git")
    #expect(!odd.isThat(of: item))
  }

  @Test("a stored credential comes back, and a password alone is stored as it is")
  func secrets() throws {
    let token = "password=p\noauth_refresh_token=r\npassword_expiry_utc=7\n"
    let stored = try joined(token)
    let again = try CredentialSecret(reading: stored)
    let text = again.lines()
    let words = String(decoding: text.bytes.indices.map { text.bytes[$0] }, as: UTF8.self)
    #expect(words == "password=p\npassword_expiry_utc=7\noauth_refresh_token=r\n")
    let alone = try joined("password=p\n")
    let isAlone = alone.isEqual(to: Array("p".utf8).span)
    #expect(isAlone)
    #expect(try joined("host=a\n").count == 0)
  }

  @Test("a secret that would add lines for Git is not passed on")
  func injection() throws {
    let planted = SecretBytes(copying: Array("p\nhost=evil.example\nquit=1".utf8).span)
    let told = try CredentialSecret(reading: planted).lines()
    let isOne = told.isEqual(to: Array("password=p\n".utf8).span)
    #expect(isOne)
    let zero = SecretBytes(copying: Array("p\0".utf8).span)
    #expect(throws: Failure.self) { _ = try CredentialSecret(reading: zero) }
  }
}
