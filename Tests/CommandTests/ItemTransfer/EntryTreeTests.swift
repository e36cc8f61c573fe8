import Protocol
import Testing

@testable import ItemTransfer

@Suite("JSON and XML of other programs")
struct EntryTreeTests {
  private func expectNoComment(_ outcome: WholeOutcome, has secrets: String...) {
    for item in outcome.items {
      for secret in secrets { #expect(!item.text(.comment).contains(secret), "\(item)") }
    }
  }

  @Test("FINDINGS B4: Bitwarden's JSON: logins, notes, cards, states; passkeys are named")
  func bitwarden() throws {
    let outcome = WholeOutcome(
      #"""
      {"encrypted":false,"folders":[{"id":"f1","name":"Work"}],"items":[
      {"id":"1","folderId":"f1","type":1,"name":"Mail","notes":"first\nsecond","favorite":true,
       "fields":[{"name":"PIN","value":"9911","type":1},{"name":"linked","value":null,"type":3}],
       "login":{"uris":[{"match":null,"uri":"https://a.example"},{"uri":"https://b.example"}],
       "username":"ann","password":"p\"\u00e4\ud83d\ude00","totp":"steam://AAAA",
       "fido2Credentials":[{"rpId":"a.example","keyValue":"k-1"}]},
       "passwordHistory":[{"lastUsedDate":"2020","password":"old-1"}],"revisionDate":"2020"},
      {"type":2,"name":"A note","notes":"text","secureNote":{"type":0}},
      {"type":3,"name":"Visa","card":{"number":"4111","code":"737","brand":null}},
      {"type":4,"name":"Me","identity":{"firstName":"Ann","ssn":"078"},"deletedDate":"2024"},
      {"type":5,"name":"Key","sshKey":{"privateKey":"-----BEGIN"},"archivedDate":"2024"}]}
      """#)
    #expect(outcome.program == "Bitwarden" && outcome.failure == nil)
    let mail = try #require(outcome.items.first)
    #expect(mail.text == "p\"ä😀" && mail.attributes.account == "ann")
    #expect(mail.text(.comment) == "folder: Work\nurl: https://b.example")
    #expect(
      outcome.collected.item(.note, "Mail, notes")?.text
        == "first\nsecond\n\nPIN: 9911\nearlier password: old-1")
    #expect(outcome.collected.code("a.example") == "steam://AAAA")
    #expect(outcome.collected.item(.note, "A note")?.text == "text")
    #expect(outcome.collected.item(.note, "Visa")?.text == "number: 4111\ncode: 737")
    #expect(outcome.collected.item(.note, "Me")?.text == "firstName: Ann\nssn: 078")
    #expect(outcome.collected.states == [.active, .active, .active, .deleted, .archived])
    #expect(outcome.skipped.map(\.origin) == ["Mail"])
    #expect(outcome.skipped.first?.reason.contains("passkey a.example") == true)
    expectNoComment(outcome, has: "9911", "4111", "737", "078", "old-1", "k-1", "AAAA")
    let sealed = WholeOutcome(#"{"encrypted":true,"passwordProtected":true,"data":"2.x"}"#)
    #expect(sealed.failure?.message.contains("encrypted") == true)
  }

  @Test("FINDINGS B4: Enpass: fields by their kinds, deleted ones left alone")
  func enpass() throws {
    let outcome = WholeOutcome(
      #"""
      {"folders":[{"title":"Work","uuid":"f"}],"items":[
      {"title":"Mail","note":"n","category":"login","template_type":"login.default","folders":["f"],
       "archived":1,"trashed":0,"subtitle":"ann","attachments":[{"name":"plan.pdf","data":"xx"}],
       "fields":[{"label":"User","type":"username","value":"ann"},
       {"label":"E-mail","type":"email","value":"a@b.example"},
       {"label":"Password","type":"password","value":"pw","history":[{"value":"old-1"}]},
       {"label":"Website","type":"url","value":"https://a.example"},
       {"label":"Code","type":"totp","value":"AAAA"},{"label":"More","type":"section","value":""},
       {"label":"PIN","type":"pin","value":"9911"},
       {"label":"Gone","type":"text","value":"gone","deleted":1}]},
      {"title":"Visa","note":"","category":"creditcard","template_type":"creditcard.default",
       "trashed":1,"fields":[{"label":"Number","type":"ccNumber","value":"4111"}]}]}
      """#)
    #expect(outcome.program == "Enpass" && outcome.failure == nil)
    let mail = try #require(outcome.items.first)
    #expect(mail.text == "pw" && mail.attributes.account == "ann")
    #expect(mail.text(.comment) == "folder: Work\nstate: archived\nemail: a@b.example")
    #expect(
      outcome.collected.item(.note, "Mail, notes")?.text
        == "n\n\nearlier Password: old-1\nPIN: 9911")
    #expect(outcome.collected.code("a.example") == "AAAA")
    #expect(outcome.collected.item(.note, "Visa")?.text == "Number: 4111")
    #expect(outcome.collected.states == [.archived, .deleted])
    #expect(outcome.skipped.map(\.reason) == ["no item holds its attachment plan.pdf"])
  }

  @Test("FINDINGS B4: Proton Pass' JSON: logins, extra fields, cards and the bin")
  func protonPass() throws {
    let outcome = WholeOutcome(
      #"""
      {"version":"1.29","encrypted":false,"vaults":{"v1":{"name":"Home","items":[
      {"itemId":"i","state":1,"data":{"metadata":{"name":"Mail","note":"n"},"type":"login",
       "content":{"itemUsername":"ann","itemEmail":"a@b.example","password":"pw",
       "urls":["https://a.example","https://b.example"],"totpUri":"otpauth://totp/x?secret=AA",
       "passkeys":[{"domain":"a.example"}]},
       "extraFields":[{"fieldName":"PIN","type":"hidden","data":{"content":"9911"}},
       {"fieldName":"2","type":"totp","data":{"totpUri":"BBBB"}}]}},
      {"state":2,"data":{"metadata":{"name":"Visa","note":""},"type":"creditCard",
       "content":{"number":"4111","pin":"1234"}}}]}}}
      """#)
    #expect(outcome.program == "Proton Pass" && outcome.failure == nil)
    let mail = try #require(outcome.items.first)
    #expect(mail.text == "pw" && mail.attributes.account == "ann")
    #expect(
      mail.text(.comment) == "folder: Home\nemail: a@b.example\nurl: https://b.example"
        || mail.text(.comment) == "folder: Home\nurl: https://b.example\nemail: a@b.example")
    #expect(outcome.collected.code("a.example") == "otpauth://totp/x?secret=AA")
    #expect(outcome.collected.code("a.example #2") == "BBBB")
    #expect(outcome.collected.item(.note, "Mail, notes")?.text == "n\n\nPIN: 9911")
    #expect(outcome.collected.item(.note, "Visa")?.text == "number: 4111\npin: 1234")
    #expect(outcome.collected.states == [.active, .deleted])
    #expect(outcome.skipped.count == 1)
  }

  @Test("FINDINGS B4: 1Password's archive: forms, sections, categories, attachments")
  func onePassword() throws {
    let json = #"""
      {"accounts":[{"attrs":{"name":"Ann"},"vaults":[{"attrs":{"name":"Private"},"items":[
      {"uuid":"1","state":"active","categoryUuid":"001","details":{
       "loginFields":[{"designation":"username","fieldType":"T","name":"u","value":"ann"},
       {"designation":"password","fieldType":"P","name":"p","value":"pw"},
       {"designation":"","fieldType":"T","name":"branch","value":"b-17"}],"notesPlain":"n",
       "sections":[{"title":"","fields":[
       {"title":"one-time password","id":"x","value":{"totp":"otpauth://totp/x?secret=AA"}},
       {"title":"PIN","id":"y","value":{"concealed":"9911"}},
       {"title":"plan","id":"z","value":{"file":{"fileName":"plan.pdf","documentId":"d"}}},
       {"title":"home","id":"w","value":{"address":{"street":"Main 1","city":"Bonn"}}}]}],
       "passwordHistory":[{"value":"old-1","time":1}]},
       "overview":{"title":"Mail","url":"https://a.example","tags":["work"],"subtitle":"ann",
       "urls":[{"label":"","url":"https://a.example"},{"label":"","url":"https://b.example"}]}},
      {"state":"archived","categoryUuid":"002","overview":{"title":"Visa"},"details":{
       "loginFields":[],"sections":[{"fields":[
       {"title":"number","id":"ccnum","value":{"creditCardNumber":"4111"}}]}]}}]}]}]}
      """#
    for method in [UInt16(0), 8] {
      let outcome = WholeOutcome(
        ZipMaker.archive([
          ("export.attributes", "{}", method), ("export.data", json, method),
          ("files/d___plan.pdf", "%PDF", 0),
        ]))
      #expect(outcome.program == "1Password" && outcome.failure == nil)
      let mail = try #require(outcome.items.first)
      #expect(mail.text == "pw" && mail.attributes.account == "ann")
      #expect(mail.text(.comment) == "folder: Private\ntag: work\nurl: https://b.example")
      #expect(outcome.collected.code("a.example") == "otpauth://totp/x?secret=AA")
      #expect(
        outcome.collected.item(.note, "Mail, notes")?.text == """
          n

          earlier password: old-1
          branch: b-17
          PIN: 9911
          home street: Main 1
          home city: Bonn
          """)
      #expect(outcome.collected.item(.note, "Visa")?.text == "number: 4111")
      #expect(outcome.collected.states == [.active, .archived])
      #expect(outcome.skipped.map(\.reason) == ["no item holds its attachment plan.pdf"])
    }
  }

  @Test("FINDINGS B4: KeePass 2: groups, own fields, codes, references, the bin")
  func keePass() throws {
    func entry(_ identifier: String, _ strings: [(String, String)], _ more: String = "") -> String {
      "<Entry><UUID>\(identifier)</UUID>"
        + strings.map { "<String><Key>\($0)</Key><Value>\($1)</Value></String>" }.joined() + more
        + "</Entry>"
    }
    let mail = entry(
      "AAECAwQFBgcICQoLDA0ODw==",
      [
        ("Title", "Mail"), ("UserName", "ann"), ("Password", "p&amp;&lt;w"),
        ("URL", "https://a.example"), ("Notes", "n"), ("PIN", "9911"),
        ("otp", "key=AAAA&amp;size=8&amp;step=60"), ("KP2A_URL", "https://b.example"),
        ("KPEX_PASSKEY_RELYING_PARTY", "a.example"), ("KPEX_PASSKEY_PRIVATE_KEY_PEM", "k-1"),
      ],
      "<Tags>work</Tags><Binary><Key>plan.pdf</Key><Value Ref=\"0\"/></Binary><History>"
        + entry("", [("Password", "old-1")]) + entry("", [("Password", "old-1")])
        + entry("", [("Password", "p&amp;&lt;w")]) + "</History>")
    let other = entry(
      "AQECAwQFBgcICQoLDA0ODw==",
      [
        ("Title", "Other"), ("Password", "{REF:P@I:000102030405060708090A0B0C0D0E0F}"),
        ("TimeOtp-Secret-Base32", "BBBB"), ("TimeOtp-Length", "8"),
        ("TimeOtp-Algorithm", "HMAC-SHA-256"),
      ])
    let written = [
      ("Title", "12345678901234567890"), ("Title-Hex", "3132333435363738393031323334353637383930"),
      ("Title-Base64", "MTIzNDU2Nzg5MDEyMzQ1Njc4OTA="),
    ].enumerated().map { index, way in
      let name = "HmacOtp-Secret" + way.0.dropFirst(5)
      return entry("", [("Title", "Way \(index)"), (name, way.1), ("HmacOtp-Counter", "3")])
    }
    let tray = entry(
      "AgECAwQFBgcICQoLDA0ODw==",
      [("Title", "Game"), ("TOTP Seed", "CCCC"), ("TOTP Settings", "30;S")])
    let outcome = WholeOutcome(
      """
      <?xml version="1.0" encoding="utf-8" standalone="yes"?>
      <KeePassFile><Meta><RecycleBinUUID>Bg==</RecycleBinUUID></Meta><Root><Group>
      <UUID>AA==</UUID><Name>Root</Name>\(other)
      <Group><UUID>BQ==</UUID><Name>Web</Name>\(mail)</Group>
      <Group><UUID>Bg==</UUID><Name>Bin</Name>\(tray)</Group>\(written.joined())
      </Group></Root></KeePassFile>
      """)
    #expect(outcome.program == "KeePass 2" && outcome.failure == nil)
    let login = try #require(outcome.collected.item(.internet, "Mail"))
    #expect(login.text == "p&<w" && login.attributes.account == "ann")
    #expect(login.text(.comment) == "folder: Web\ntags: work\nurl: https://b.example")
    #expect(
      outcome.collected.item(.note, "Mail, notes")?.text
        == "n\n\nPIN: 9911\nearlier password: old-1")
    #expect(
      outcome.collected.code("a.example") == "otpauth://totp/?&secret=AAAA&digits=8&period=60")
    #expect(outcome.collected.item(.generic, "Other")?.text == "p&<w")
    #expect(
      outcome.collected.code("Other")
        == "otpauth://totp/?secret=BBBB&digits=8&algorithm=HMAC-SHA-256")
    #expect(
      outcome.collected.code("Game") == "otpauth://totp/?secret=CCCC&period=30&encoder=steam")
    #expect(outcome.collected.states.count { $0 == .deleted } == 1)
    for index in 0..<3 {
      #expect(
        outcome.collected.code("Way \(index)")
          == "otpauth://hotp/?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=3")
    }
    #expect(outcome.skipped.map(\.origin) == ["Mail", "Mail"])
    expectNoComment(outcome, has: "9911", "old-1", "k-1", "AAAA", "BBBB", "CCCC")
  }

  @Test(
    "FINDINGS B4: JSON and XML of no known program, broken, deep or with entities are refused",
    arguments: [
      "{", "[1,2", "{\"items\":[]}", "[]", "{\"a\":1}x", "{\"a\":\"\u{1}\"}", "<a></a>", "<a>",
      "<!DOCTYPE a [<!ENTITY x \"y\">]><KeePassFile>&x;</KeePassFile>",
      "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><KeePassFile/>",
      "<KeePassFile>&undefined;</KeePassFile>",
      "<?xml version=\"1.0\" encoding=\"nonsense\"?><KeePassFile/>",
      String(repeating: "[", count: 100_000), String(repeating: "<a>", count: 100_000),
      "{\"encrypted\":false,\"items\":" + String(repeating: "{\"a\":", count: 65),
    ])
  func refused(text: String) throws {
    let outcome = WholeOutcome(text)
    let failure = try #require(outcome.failure, "\(text.prefix(60))")
    #expect(failure.code == .importUnreadable && failure.hint != nil && outcome.items.isEmpty)
  }

  @Test("FINDINGS B4: whatever byte of JSON and XML is wrong or missing, nothing ends the process")
  func survived() {
    for text in [
      #"{"encrypted":false,"items":[{"type":1,"name":"\u00e4","fields":[{"name":"a","value":"b"}]}]}"#,
      "<KeePassFile><Root><Group><Entry><UUID>AA==</UUID><String><Key>otp</Key><Value>key=A&amp;"
        + "size</Value></String></Entry></Group></Root></KeePassFile>",
      #"{"accounts":[{"vaults":[{"items":[{"details":{"sections":[{"fields":[{"value":{}}]}]}}]}]}]}"#,
    ] {
      let good = Array(text.utf8)
      #expect(WholeOutcome(good).failure == nil)
      for index in good.indices {
        for byte in [0, 0xFF, UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "<")] {
          var bytes = good
          bytes[index] = byte
          _ = WholeOutcome(bytes)
        }
        _ = WholeOutcome(Array(good.prefix(index)))
      }
    }
  }
}
