import Testing

@testable import CoreClient
@testable import ItemTransfer

@Suite("Addresses of logins")
struct WebAddressTests {
  @Test("scheme, host, port and path are told apart")
  func parts() throws {
    let full = try #require(WebAddress("https://Login.Example.org:8443/a/b"))
    #expect(full.scheme == .https && full.host == "login.example.org" && full.port == 8443)
    #expect(full.path == "/a/b" && !full.saysMore)
    let plain = try #require(WebAddress("http://example.org/"))
    #expect(plain == WebAddress("http://example.org"))
    #expect(plain.path.isEmpty && plain.port == nil)
    let more = try #require(WebAddress("https://example.org/login?next=%2F#top"))
    #expect(more.path == "/login" && more.saysMore)
    #expect(WebAddress("https://example.org?x")?.path == "")
    #expect(WebAddress("https://[2001:DB8::1]:81/x")?.host == "[2001:db8::1]")
    #expect(WebAddress("https://bücher.example")?.host == "bücher.example")
    #expect(WebAddress("sftp://host")?.scheme == .ssh)
    #expect(WebAddress("http://localhost:8080")?.port == 8080)
  }

  @Test("a host name with a dot is an address without a scheme")
  func bareHosts() throws {
    let bare = try #require(WebAddress("example.org/login"))
    #expect(bare.scheme == nil && bare.host == "example.org" && bare.path == "/login")
    #expect(WebAddress("192.168.0.1:80")?.port == 80)
  }

  @Test(
    "other texts are no address",
    arguments: [
      "", "title", "localhost", "1.5", "https://", "https:///x", "https://user@example.org/",
      "https://user:pw@example.org", "https://exa mple.org", "https://example.org:0",
      "https://example.org:65536", "https://example.org:", "https://example.org:+80",
      "https://a..b", "https://-a.b", "https://%65xample.org", "android://hash@com.example/",
      "javascript:alert(1)", "file:///etc/passwd", "https://example.org/\u{7}",
      "https://example.org/\u{202E}gro", "https://[::1", "https://[::1]x", "https://[zz]",
      "https://example.org\\@evil.org", "about:blank", "a.b:c:d", "https://x\u{0}.org",
    ])
  func refused(text: String) {
    #expect(WebAddress(text) == nil)
  }

  @Test("a protocol is found again by the code that items name it with")
  func protocols() {
    for known in InternetProtocol.allCases {
      #expect(known.code.utf8.count == 4)
      #expect(InternetProtocol(code: known.code) == known)
      #expect(InternetProtocol(name: known.rawValue.uppercased()) == known)
    }
  }
}
