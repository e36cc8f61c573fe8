import Cryptography
import Protocol
import Testing

@Suite("One-time passwords")
struct OneTimePasswordTests {
  /// The keys of RFC 4226 and RFC 6238: ASCII digits over and over.
  private enum Keys {
    static let sha1 = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    static let sha256 = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZA===="
    static let sha512 =
      "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQGEZDGNBVGY3T"
      + "QOJQGEZDGNA%3D"
  }

  private func reading(_ text: String) throws -> OneTimePassword {
    try OneTimePassword(reading: Array(text.utf8).span)
  }

  private func code(_ text: String, at seconds: UInt64 = 0) throws -> String {
    let password = try reading(text).password(at: seconds)
    return String(decoding: revealed(password.code), as: UTF8.self)
  }

  private func problem(_ text: String) -> OneTimePassword.Problem? {
    do throws(OneTimePassword.Problem) {
      _ = try OneTimePassword(reading: Array(text.utf8).span)
      return nil
    } catch {
      return error
    }
  }

  @Test("FINDINGS B6: codes of a counter are those of RFC 4226, appendix D")
  func counted() throws {
    let codes = [
      "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871",
      "520489",
    ]
    for (number, expected) in codes.enumerated() {
      #expect(try code("otpauth://hotp/a?secret=\(Keys.sha1)&counter=\(number)") == expected)
    }
  }

  @Test("FINDINGS B6: codes of the time are those of RFC 6238, appendix B")
  func timed() throws {
    let vectors: [(UInt64, String, String, String)] = [
      (59, "94287082", "46119246", "90693936"),
      (1_111_111_109, "07081804", "68084774", "25091201"),
      (1_111_111_111, "14050471", "67062674", "99943326"),
      (1_234_567_890, "89005924", "91819424", "93441116"),
      (2_000_000_000, "69279037", "90698825", "38618901"),
      (20_000_000_000, "65353130", "77737706", "47863826"),
    ]
    for (seconds, sha1, sha256, sha512) in vectors {
      for (name, key, expected) in [
        ("SHA1", Keys.sha1, sha1), ("sha256", Keys.sha256, sha256),
        ("SHA512", Keys.sha512, sha512),
      ] {
        let text = "otpauth://totp/Example:a?secret=\(key)&algorithm=\(name)&digits=8&period=30"
        #expect(try code(text, at: seconds) == expected, "\(name) at \(seconds)")
      }
    }
  }

  @Test("a code of the time says how much longer it is good, one of a counter does not")
  func secondsLeft() throws {
    let timed = try reading("otpauth://totp/a?secret=\(Keys.sha1)&period=60")
    for (seconds, left) in [(0, 60), (59, 1), (60, 60), (61, 59)] as [(UInt64, UInt32)] {
      let password = try timed.password(at: seconds)
      #expect(password.secondsLeft == left)
    }
    let counted = try reading("otpauth://hotp/a?secret=\(Keys.sha1)&counter=7").password(at: 5)
    #expect(counted.secondsLeft == nil)
  }

  @Test("the next number takes the counter's place and nothing else's")
  func advancing() throws {
    for (text, expected) in [
      ("otpauth://hotp/a?counter=9&secret=AA", "otpauth://hotp/a?counter=10&secret=AA"),
      (" OTPAUTH://HOTP/a?secret=AA&COUNTER=0#x\n", " OTPAUTH://HOTP/a?secret=AA&COUNTER=1#x\n"),
      (
        "otpauth://hotp/?secret=AA&counter=9223372036854775806",
        "otpauth://hotp/?secret=AA&counter=9223372036854775807"
      ),
      ("otpauth://hotp/a?secret=AA#x", "otpauth://hotp/a?secret=AA&counter=1#x"),
      ("otpauth://hotp/a?secret=AA&counter=&x=y", "otpauth://hotp/a?secret=AA&counter=1&x=y"),
    ] {
      let next = try reading(text).advanced(secret(Array(text.utf8)))
      switch next {
      case .some(let next): #expect(String(decoding: revealed(next), as: UTF8.self) == expected)
      case .none: Issue.record("no next number")
      }
    }
    let timed = "otpauth://totp/a?secret=AA"
    #expect(try reading(timed).advanced(secret(Array(timed.utf8))) == nil)
  }

  @Test("a key is read in capital and small letters, in groups, with padding and without")
  func forms() throws {
    let expected = try code("otpauth://totp/a?secret=\(Keys.sha256)&algorithm=SHA256", at: 59)
    for key in [
      Keys.sha256.lowercased(), Keys.sha256.replacing("=", with: ""),
      Keys.sha256.replacing("=", with: "%3d"), Keys.sha256.replacing("GEZD", with: "%20gezd-"),
    ] {
      let text = "otpauth://totp/?issuer=a%26secret%3Db&algorithm=sha256&secret=\(key)&image=x"
      #expect(try code(text, at: 59) == expected, "\(key)")
    }
    let alone = try OneTimePassword(keyAlone: Array(" \(Keys.sha1.lowercased())\n".utf8).span)
    #expect(revealed(try alone.password(at: 59).code) == Array("287082".utf8))
  }

  @Test(
    "FINDINGS B5: Steam's codes are five of its letters and digits, however the text says Steam")
  func steam() throws {
    for text in [
      "steam://JBSWY3DPEHPK3PXP", " STEAM://jbsw y3dp ehpk 3pxp\n",
      "otpauth://totp/Steam:me?secret=JBSWY3DPEHPK3PXP&issuer=Steam&encoder=steam",
      "otpauth://totp/me?secret=JBSWY3DPEHPK3PXP&encoder=Steam",
      "otpauth://totp/me?secret=JBSWY3DPEHPK3PXP&issuer=steam&digits=6",
      "otpauth://totp/Steam%3Ame?secret=JBSWY3DPEHPK3PXP",
      "otpauth://steam/Steam:me?secret=JBSWY3DPEHPK3PXP",
    ] {
      #expect(try code(text, at: 1_700_000_000) == "2KM2P", "\(text)")
    }
    let other = "otpauth://totp/Steamboat:Steam?secret=JBSWY3DPEHPK3PXP&issuer=Steamboat"
    #expect(try code(other, at: 1_700_000_000) == "324550")
  }

  @Test("FINDINGS C7: every spelling of a text and a key that leaves no doubt gives its code")
  func spellings() throws {
    let key = "secret=JBSWY3DPEHPK3PXP"
    for (text, expected) in [
      ("otpauth://totp/Ex:me?secret=jbsw%20y3dp%20ehpk%203pxp", "324550"),
      ("otpauth://totp/Ex:me?secret=jbsw+y3dp+ehpk+3pxp", "324550"),
      ("otpauth://totp/Ex:me?secret=JBSW-Y3DP-EHPK-3PXP%3D%3D%3D%3D", "324550"),
      ("otpauth://totp/Ex:me?\(key)&algorithm=HmacSHA256", "049486"),
      ("otpauth://totp/Ex:me?\(key)&algorithm=SHA-256", "049486"),
      ("otpauth://totp/Ex:me?\(key)&algorithm=hmac_sha%2D256", "049486"),
      ("otpauth://totp/Ex:me?\(key)&algorithm=&digits=&period=&encoder=", "324550"),
      ("otpauth://totp/Ex:me?\(key)&digits=10", "1802324550"),
      ("otpauth://totp/Ex:me?\(key)&digits=5", "24550"), ("otpauth://totp?\(key)", "324550"),
      ("\u{FEFF}otpauth://totp/?\(key)", "324550"),
      ("otpauth://totp/Ex:me?\(key)&amp;issuer=Ex&amp;digits=8", "02324550"),
      ("otpauth://hotp/Ex:me?\(key)", "282760"), ("otpauth://hotp/Ex:me?\(key)&counter=", "282760"),
    ] {
      #expect(try code(text, at: 1_700_000_000) == expected, "\(text)")
    }
    func alone(_ text: String, _ keyAlone: OneTimePassword.KeyAlone) -> String? {
      do {
        let maker = try OneTimePassword(secret: Array(text.utf8).span, keyAlone: keyAlone)
        return String(decoding: revealed(try maker.password(at: 1_700_000_000).code), as: UTF8.self)
      } catch {
        return (error as? OneTimePassword.Problem).map { "\($0)" }
      }
    }
    for text in ["JBSWY3DPEHPK3PXP", "jbsw y3dp ehpk 3pxp", "\u{FEFF}JBSW-Y3DP-EHPK-3PXP====\n"] {
      #expect(alone(text, .possible) == "324550" && alone(text, .expected) == "324550")
      #expect(alone(text, .refused) == "otherScheme")
    }
    // A password is not taken for a key.
    for (password, problem) in [
      ("hunter", "shortKey"), ("correct horse battery 9", "otherKey"), ("a:b", "otherScheme"),
    ] {
      #expect(alone(password, .possible) == problem)
    }
  }

  @Test("a hostile otpauth text is refused, and the reason says what is wrong")
  func hostile() throws {
    let key = "secret=\(Keys.sha1)"
    let long = String(repeating: "A", count: 4096)
    let refused: [(String, OneTimePassword.Problem)] = [
      ("", .otherScheme), ("otpauth:", .otherScheme), ("hunter2", .otherScheme),
      ("https://otpauth://totp/a?\(key)", .otherScheme),
      ("otpauth://\(long)", .tooLong), ("otpauth://", .otherKind),
      ("otpauth://totpp/a?\(key)", .otherKind), ("otpauth://motp/a?\(key)", .otherKind),
      ("otpauth://hotp/Steam:a?\(key)", .otherKind),
      ("otpauth://totp/a?\(key)&encoder=yandex", .otherEncoder),
      ("otpauth-migration://offline?data=CjEKCkhlbGxv", .severalCodes),
      ("steam://", .noKey), ("steam://not/base32", .otherKey),
      ("otpauth://totp/a", .noKey), ("otpauth://totp/a?secret=", .noKey),
      ("otpauth://totp/a?secret", .noKey), ("otpauth://totp/a#?\(key)", .noKey),
      ("otpauth://totp/a?\(key)&secret=AA", .saysTwice),
      ("otpauth://totp/a?\(key)&digits=6&DIGITS=8", .saysTwice),
      ("otpauth://totp/a?secret=A", .otherKey), ("otpauth://totp/a?secret=AAA", .otherKey),
      ("otpauth://totp/a?secret=A1", .otherKey), ("otpauth://totp/a?secret=A=A", .otherKey),
      ("otpauth://totp/a?secret=%", .otherKey), ("otpauth://totp/a?secret=AA%3", .otherKey),
      ("otpauth://totp/a?secret====", .otherKey),
      ("otpauth://totp/a?secret=\(long.prefix(840))", .longKey),
      ("otpauth://totp/a?\(key)&algorithm=MD5", .otherFunction),
      ("otpauth://totp/a?\(key)&algorithm=SHA384", .otherFunction),
      ("otpauth://totp/a?\(key)&algorithm=HmacMD5", .otherFunction),
      ("otpauth://totp/a?\(key)&digits=3", .otherDigits),
      ("otpauth://totp/a?\(key)&digits=11", .otherDigits),
      ("otpauth://totp/a?\(key)&digits=-6", .otherDigits),
      ("otpauth://totp/a?\(key)&digits=six", .otherDigits),
      ("otpauth://totp/a?\(key)&period=0", .otherPeriod),
      ("otpauth://totp/a?\(key)&period=86401", .otherPeriod),
      ("otpauth://totp/a?\(key)&period=99999999999999999999", .otherPeriod),
      ("otpauth://hotp/a?\(key)&counter=+1", .noCounter),
      ("otpauth://hotp/a?\(key)&counter=9223372036854775807", .noCounter),
      ("otpauth://hotp/a?\(key)&counter=18446744073709551616", .noCounter),
    ]
    for (text, expected) in refused { #expect(problem(text) == expected, "\(text.prefix(80))") }
    // Whatever bytes follow, nothing ends the process.
    for byte in UInt8.min...UInt8.max {
      let text = Array("otpauth://hotp/a?secret=AA&counter=1".utf8) + [byte]
      _ = try? OneTimePassword(reading: text.span)
      _ = try? OneTimePassword(reading: ([byte] + text).span)
      _ = try? OneTimePassword(keyAlone: [byte, byte, byte].span)
    }
  }
}
