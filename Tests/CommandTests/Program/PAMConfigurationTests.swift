import Protocol
import Testing

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

  /// What these read, as Debian and Fedora have it.
  private static let files = [
    "common-auth": """
    auth [success=2 default=ignore] pam_fprintd.so max-tries=1
    auth [success=1 default=ignore] pam_unix.so nullok
    auth requisite pam_deny.so
    auth required pam_permit.so
    auth optional pam_cap.so
    """,
    "system-auth": """
    auth required pam_env.so
    auth required pam_faildelay.so delay=2000000
    auth [default=1 ignore=ignore success=ok] pam_usertype.so isregular
    auth [default=1 ignore=ignore success=ok] pam_localuser.so
    auth sufficient pam_unix.so nullok
    auth [default=1 ignore=ignore success=ok] pam_usertype.so isregular
    auth sufficient pam_sss.so forward_pass
    auth required pam_deny.so
    account required pam_faillock.so
    """,
    "postlogin": "session optional pam_umask.so silent\n",
    "jumping": "auth [success=1 default=ignore] pam_localuser.so\n",
    // A password and a code; the latter in ways of its own.
    "locked": """
    auth requisite pam_faillock.so preauth
    auth required pam_unix.so
    auth required pam_google_authenticator.so
    """,
    "hold": "auth requisite pam_faillock.so preauth\nauth sufficient pam_unix.so\n",
    "code-first": """
    auth [success=1 default=ignore] pam_google_authenticator.so
    auth requisite pam_deny.so
    auth required pam_unix.so
    """,
    "code-behind": """
    auth required pam_unix.so
    auth sufficient pam_google_authenticator.so
    auth required pam_deny.so
    """,
    "both":
      "auth required pam_unix.so\nauth [success=1 default=die] pam_sss.so\nauth requisite pam_deny.so\n",
    "late": """
    auth [success=1 default=ignore] pam_unix.so
    auth optional pam_cap.so
    auth [success=1 default=bad] pam_sss.so
    auth requisite pam_deny.so
    """,
    "either": """
    auth [success=2 default=ignore] pam_unix.so
    auth [success=1 default=die] pam_sss.so
    auth requisite pam_deny.so
    """,
    "wrapped": "@include locked\n", "absolute": "auth include /etc/pam.d/locked\n",
    "/etc/pam.d/locked": "auth required pam_unix.so\nauth required pam_u2f.so\n",
    "loop": "auth required pam_unix.so\nauth include loop-back\n", "loop-back": "@include loop\n",
    "twice": "auth include fan\nauth include fan\n", "fan": "auth include twice\n",
    "odd": "auth required pam_unix.so\nnonsense\n",
  ]
  private static func reading(_ name: String) -> PAMConfiguration? {
    files[name].map { PAMConfiguration(Array($0.utf8)) }
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test(
    "the line goes before the password and behind what must always run, and nothing else changes",
    arguments: [
      (sudo, "@include common-auth"), (login, "@include common-auth"),
      (fedora, "auth       include      system-auth"), (alone, "-auth \\"),
    ])
  func place(file: String, before: String) throws {
    let bytes = Array(file.utf8)
    let after = try PAMConfiguration(bytes).enabled(
      "pam_authcore.so", of: "test", reading: Self.reading)
    let line = "auth\tsufficient\tpam_authcore.so\t# added by authcore pam enable\n"
    let lines = file.split(separator: "\n", omittingEmptySubsequences: false)
    let index = try #require(lines.firstIndex { $0 == before })
    let expected =
      lines[..<index].map { $0 + "\n" }.joined() + line + lines[index...].joined(separator: "\n")
    #expect(text(after) == expected)
    let enabled = PAMConfiguration(after)
    #expect(enabled.isEnabled && !enabled.namesModule)
    #expect(
      try enabled.enabled("pam_authcore.so", of: "test", reading: Self.reading) == after,
      "once and no more")
    #expect(enabled.disabled == bytes, "and away again, to the last byte")
  }

  @Test("modules that do not run after a touch are reported")
  func skipped() throws {
    let login = PAMConfiguration(Array(Self.login.utf8))
    #expect(
      try login.place(for: "login", reading: Self.reading).skipped
        == ["pam_cap.so", "pam_group.so"])
    #expect(
      try PAMConfiguration(Array(Self.sudo.utf8)).place(for: "sudo", reading: Self.reading).skipped
        == ["pam_cap.so"])
  }

  @Test("a module elsewhere is named by its path, and one that moved is named anew")
  func moved() throws {
    let first = try PAMConfiguration(Array(Self.sudo.utf8)).enabled(
      "/opt/pam_authcore.so", of: "s", reading: Self.reading)
    #expect(text(first).contains("auth\tsufficient\t/opt/pam_authcore.so\t#"))
    let second = try PAMConfiguration(first).enabled(
      "pam_authcore.so", of: "s", reading: Self.reading)
    #expect(!text(second).contains("/opt"))
    #expect(PAMConfiguration(second).disabled == Array(Self.sudo.utf8))
  }

  @Test("the line keeps its arguments and its place")
  func arguments() throws {
    let first = try PAMConfiguration(Array(Self.sudo.utf8))
      .enabled("/opt/pam_authcore.so", of: "s", reading: Self.reading)
    let edited = "\n" + text(first).replacing(".so\t#", with: ".so timeout=10\t#")
    let same = try PAMConfiguration(Array(edited.utf8))
      .enabled("/opt/pam_authcore.so", of: "s", reading: Self.reading)
    #expect(text(same) == edited && edited.contains("timeout=10"))
    let moved = try PAMConfiguration(Array(edited.utf8))
      .enabled("pam_authcore.so", of: "s", reading: Self.reading)
    #expect(text(moved) == edited.replacing("/opt/pam_authcore.so", with: "pam_authcore.so"))
  }

  @Test("a line that was written by hand is seen, and not removed")
  func byHand() {
    let bytes = Array("auth sufficient pam_authcore.so timeout=9\n\(Self.sudo)".utf8)
    let file = PAMConfiguration(bytes)
    #expect(file.namesModule && !file.isEnabled && file.disabled == bytes)
    let comment = PAMConfiguration(Array("# auth sufficient pam_authcore.so\n\(Self.sudo)".utf8))
    #expect(!comment.namesModule && !comment.isEnabled)
  }

  @Test(
    "if the place is unclear, nothing is guessed, and the line to add by hand is shown",
    arguments: [
      "", "session required pam_limits.so\n", "auth required pam_permit.so\n",
      // A second factor behind the password must not be skipped.
      "@include common-auth\nauth required pam_google_authenticator.so\n",
      "auth sufficient pam_unix.so\nauth [default=die] pam_faillock.so authfail\n",
      "auth include system-auth\nauth substack locked\n",
      // One more line would be jumped over.
      "auth [success=2 default=ignore] pam_localuser.so\nauth required pam_unix.so\n",
      "auth required\n", "nonsense required pam_unix.so\n", "@include\n", "@include a b\n",
      "auth required pam_unix.so\r\n", "auth required pam_unix.so\0\n",
      "auth required pam_unix.so \\",
    ])
  func unknown(file: String) {
    #expect {
      _ = try PAMConfiguration(Array(file.utf8)).enabled(
        "pam_authcore.so", of: "test", reading: Self.reading)
    } throws: { error in
      let failure = error as? Failure
      return failure?.code == .unsupported
        && failure?.hint?.hasSuffix("auth sufficient pam_authcore.so") == true
    }
  }

  @Test(
    "included files count: a second factor in one, or what must always run, is not skipped",
    arguments: [
      "@include locked", "auth include locked", "auth substack hold", "@include code-first",
      "@include code-behind", "@include wrapped", "auth include absolute",
      // A second password of which a miss is the end, and which runs where the first was right.
      "@include both", "auth substack late", "auth sufficient pam_unix.so\nauth include both",
      "@include common-auth\nauth include wrapped", "@include common-auth\n@include code-behind",
      // The lines that are jumped over would be one more.
      "@include jumping\n@include common-auth",
      // Nothing is known of what cannot be followed.
      "auth include missing", "@include common-auth\n@include missing", "@include loop",
      "@include twice", "@include odd", "auth include sub/common-auth",
    ])
  func second(file: String) {
    #expect {
      _ = try PAMConfiguration(Array((file + "\n").utf8))
        .enabled("pam_authcore.so", of: "test", reading: Self.reading)
    } throws: { ($0 as? Failure)?.code == .unsupported }
  }

  @Test("an included file that asks for no password is no obstacle")
  func around() throws {
    let file = "auth required pam_nologin.so\nauth substack system-auth\nauth include postlogin\n"
    let place = try PAMConfiguration(Array(file.utf8)).place(for: "login", reading: Self.reading)
    #expect(place == PAMConfiguration.Place(line: 1, skipped: ["pam_env.so"]))
  }

  @Test(
    "a second password that is asked only if the first was wrong is no second factor",
    arguments: ["@include either", "auth include either", "auth substack either"])
  func either(file: String) throws {
    let place = try PAMConfiguration(Array((file + "\n").utf8))
      .place(for: "login", reading: Self.reading)
    #expect(place.line == 0)
  }

  @Test("bytes that are not text stay as they are")
  func bytes() throws {
    let bytes = Array("# caf".utf8) + [0xE9, 0x0A] + Array(Self.sudo.utf8)
    let after = try PAMConfiguration(bytes).enabled(
      "pam_authcore.so", of: "sudo", reading: Self.reading)
    #expect(after.starts(with: bytes.prefix(8)) && PAMConfiguration(after).disabled == bytes)
  }
}
