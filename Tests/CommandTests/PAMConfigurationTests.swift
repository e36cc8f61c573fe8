import Testing
import Wire

@testable import authcore

@Suite("Where the line for authcore goes in the file of a PAM service")
struct PAMConfigurationTests {
  private static let sudo = """
    #%PAM-1.0

    # Set up user limits from /etc/security/limits.conf.
    session    required   pam_limits.so

    @include common-auth
    @include common-account
    @include common-session-noninteractive

    """
  private static let login = """
    auth       optional   pam_faildelay.so  delay=3000000
    auth       requisite  pam_nologin.so
    session [success=ok ignore=ignore module_unknown=ignore default=bad] pam_selinux.so close
    @include common-auth
    # This allows certain extra groups to be granted to a user
    auth       optional   pam_group.so
    @include common-account
    """
  private static let fedora = """
    auth       include      system-auth
    account    include      system-auth
    """
  private static let alone = """
    auth required pam_env.so
    -auth \\
      sufficient pam_unix.so nullok
    auth required pam_deny.so
    """

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test(
    "before what asks for the password, behind what holds for everybody, and nothing else changes",
    arguments: [
      (sudo, "@include common-auth"), (login, "@include common-auth"),
      (fedora, "auth       include      system-auth"), (alone, "-auth \\"),
    ])
  func place(file: String, before: String) throws {
    let bytes = Array(file.utf8)
    let after = try PAMConfiguration(bytes).enabled("pam_authcore.so", of: "test")
    let line = "auth\tsufficient\tpam_authcore.so\t# added by authcore pam enable\n"
    let lines = file.split(separator: "\n", omittingEmptySubsequences: false)
    let index = try #require(lines.firstIndex { $0 == before })
    let expected =
      lines[..<index].map { $0 + "\n" }.joined() + line + lines[index...].joined(separator: "\n")
    #expect(text(after) == expected)
    let enabled = PAMConfiguration(after)
    #expect(enabled.isEnabled && !enabled.namesModule)
    #expect(try enabled.enabled("pam_authcore.so", of: "test") == after, "once and no more")
    #expect(enabled.disabled == bytes, "and away again, to the last byte")
  }

  @Test("what does not run after a touch is told")
  func skipped() throws {
    let login = PAMConfiguration(Array(Self.login.utf8))
    #expect(try login.place(for: "login").skipped == ["pam_group.so"])
    #expect(try PAMConfiguration(Array(Self.sudo.utf8)).place(for: "sudo").skipped.isEmpty)
  }

  @Test("a module elsewhere is named by its path, and one that moved is named anew")
  func moved() throws {
    let first = try PAMConfiguration(Array(Self.sudo.utf8)).enabled("/opt/pam_authcore.so", of: "s")
    #expect(text(first).contains("auth\tsufficient\t/opt/pam_authcore.so\t#"))
    let second = try PAMConfiguration(first).enabled("pam_authcore.so", of: "s")
    #expect(!text(second).contains("/opt"))
    #expect(PAMConfiguration(second).disabled == Array(Self.sudo.utf8))
  }

  @Test("a line of somebody's own is seen, and neither taken for ours nor taken away")
  func byHand() {
    let bytes = Array("auth sufficient pam_authcore.so timeout=9\n\(Self.sudo)".utf8)
    let file = PAMConfiguration(bytes)
    #expect(file.namesModule && !file.isEnabled && file.disabled == bytes)
    let comment = PAMConfiguration(Array("# auth sufficient pam_authcore.so\n\(Self.sudo)".utf8))
    #expect(!comment.namesModule && !comment.isEnabled)
  }

  @Test(
    "where it is not clear, nothing is guessed, and the line to add by hand is told",
    arguments: [
      "", "session required pam_limits.so\n", "auth required pam_permit.so\n",
      // A second factor behind the password must not be skipped.
      "@include common-auth\nauth required pam_google_authenticator.so\n",
      "auth sufficient pam_unix.so\nauth [default=die] pam_faillock.so authfail\n",
      "auth include system-auth\nauth substack postlogin\n",
      // One more line would be jumped over.
      "auth [success=2 default=ignore] pam_localuser.so\nauth required pam_unix.so\n",
      "auth required\n", "nonsense required pam_unix.so\n", "@include\n", "@include a b\n",
      "auth required pam_unix.so\r\n", "auth required pam_unix.so\0\n",
      "auth required pam_unix.so \\",
    ])
  func unknown(file: String) {
    #expect {
      _ = try PAMConfiguration(Array(file.utf8)).enabled("pam_authcore.so", of: "test")
    } throws: { error in
      let failure = error as? Failure
      return failure?.code == .unsupported
        && failure?.hint?.hasSuffix("auth sufficient pam_authcore.so") == true
    }
  }

  @Test("bytes that are no text stay as they are")
  func bytes() throws {
    let bytes = Array("# caf".utf8) + [0xE9, 0x0A] + Array(Self.sudo.utf8)
    let after = try PAMConfiguration(bytes).enabled("pam_authcore.so", of: "sudo")
    #expect(after.starts(with: bytes.prefix(8)) && PAMConfiguration(after).disabled == bytes)
  }
}
