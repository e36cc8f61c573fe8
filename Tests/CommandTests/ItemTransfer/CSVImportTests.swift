import Protocol
import Testing

@testable import ItemTransfer

@Suite("CSV of other programs")
struct CSVImportTests {
  @Test("Firefox: form logins and HTTP authentication become internet items")
  func firefox() throws {
    let outcome = CSVOutcome(
      """
      "url","username","password","httpRealm","formActionOrigin","guid","timeCreated",\
      "timeLastUsed","timePasswordChanged"
      """,
      """
      "https://www.example.org","ann","p,""w",,"https://www.example.org","{0}","1","2","3"
      """,
      #""https://intra.example:8443","bob","x","Staff only",,"{1}","1","2","3""#)
    #expect(outcome.failure == nil && outcome.skipped.isEmpty)
    #expect(outcome.program == "Firefox")
    #expect(
      outcome.unkept == [
        "formActionOrigin", "guid", "timeCreated", "timeLastUsed",
        "timePasswordChanged",
      ])
    let first = try #require(outcome.items.first)
    #expect(first.itemClass == .internet && first.text == "p,\"w")
    #expect(first.attributes.server == "www.example.org" && first.attributes.account == "ann")
    #expect(first.text(.protocol) == "htps" && first.text(.authenticationType) == "form")
    #expect(first.attributes.label == "www.example.org" && first.origin == "line 2")
    let second = outcome.items[1]
    #expect(second.text(.authenticationType) == "http")
    #expect(second.text(.securityDomain) == "Staff only")
    #expect(second.attributes.values[.port] == .number(8443))
  }

  @Test("FINDINGS B4: Chrome: the note is a note beside the login, an address of an app is kept")
  func chrome() throws {
    let outcome = CSVOutcome(
      "name,url,username,password,note", "example.org,https://example.org/login,ann,pw,a note",
      "App,android://hash==@com.example/,bob,pw2,")
    #expect(outcome.program == "Chrome or Edge" && outcome.unkept.isEmpty)
    let (web, note, app) = (outcome.items[0], outcome.items[1], outcome.items[2])
    #expect(web.text(.path) == "/login" && web.text(.comment) == "")
    #expect(note.itemClass == .note && note.text == "a note")
    #expect(note.attributes.service == "notes:example.org" && note.attributes.account == "ann")
    #expect(app.itemClass == .generic && app.attributes.service == "App")
    #expect(app.text(.comment) == "url: android://hash==@com.example/")
  }

  @Test("Bitwarden: notes, folders, custom fields, several addresses and one-time passwords")
  func bitwarden() throws {
    let outcome = CSVOutcome(
      """
      folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,\
      login_totp
      """,
      """
      Work,1,login,Mail,remember,"PIN: 1234\nwild",0,"https://a.example,https://b.example/x?y",ann,\
      pw,JBSWY3DPEHPK3PXP
      """,
      ",,note,Recipe,\"flour\nwater\",,0,,,,", ",,card,Visa,,,0,,,,", ",,login,Router,,,0,,admin,r,"
    )
    #expect(outcome.program == "Bitwarden" && outcome.unkept == ["favorite"])
    let mail = outcome.items[0]
    #expect(mail.attributes.server == "a.example" && mail.text == "pw")
    #expect(mail.text(.comment) == "folder: Work")
    #expect(outcome.items[1].text == "remember\n\nPIN: 1234\nwild\nurl: https://b.example/x?y")
    let maker = outcome.items[2]
    #expect(maker.itemClass == .generic && maker.text == "JBSWY3DPEHPK3PXP")
    #expect(maker.attributes.service == "otpauth:a.example" && maker.attributes.account == "ann")
    let note = outcome.items[3]
    #expect(note.itemClass == .note && note.text == "flour\nwater")
    #expect(note.attributes.label == "Recipe" && outcome.skipped.isEmpty)
    let card = outcome.items[4]
    #expect(card.itemClass == .note && card.text(.comment) == "type: card")
    #expect(outcome.items[5].attributes.service == "Router")
  }

  @Test("1Password, KeePassXC and Apple Passwords are recognized by their columns")
  func others() throws {
    let one = CSVOutcome(
      "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes",
      "Mail,https://example.org,ann,pw,otpauth://totp/x?secret=A,false,true,work;mail,n")
    #expect(one.program == "1Password" && one.unkept.isEmpty && one.collected.states == [.archived])
    #expect(one.items[0].text(.comment) == "tags: work;mail\nstate: archived")
    #expect(one.items[1].text == "n" && one.items[2].text == "otpauth://totp/x?secret=A")
    let keepass = CSVOutcome(
      """
      "Group","Title","Username","Password","URL","Notes","TOTP","Icon","Last Modified","Created"
      """,
      #""Root/Web","Mail","ann","pw","example.org","","","0","2026-01-01","2026-01-01""#)
    #expect(keepass.program == "KeePassXC")
    #expect(keepass.items[0].attributes.server == "example.org")
    #expect(keepass.items[0].text(.protocol) == "")
    #expect(keepass.items[0].text(.comment) == "group: Root/Web")
    let apple = CSVOutcome(
      "Title,URL,Username,Password,Notes,OTPAuth", "Mail,https://example.org/,ann,pw,,")
    #expect(apple.program == "Apple Passwords" && apple.items[0].attributes.label == "Mail")
  }

  @Test("FINDINGS B4: columns come in any order and case, and an unknown one goes to a note")
  func columns() {
    let outcome = CSVOutcome(
      "Password,COLOR,Url,Name,Username", "pw,blue,https://example.org,Mail,ann")
    #expect(outcome.program == "Chrome or Edge")
    #expect(outcome.items[0].text == "pw" && outcome.items[0].text(.comment) == "")
    #expect(outcome.items[1].itemClass == .note && outcome.items[1].text == "COLOR: blue")
  }

  @Test("FINDINGS B4: the first user and address are those of their own columns, in any order")
  func spareColumns() throws {
    let outcome = CSVOutcome(
      "additional_urls,username2,username,title,password,url",
      "https://b.example,bob,ann,Mail,pw,https://a.example")
    let login = try #require(outcome.items.first)
    #expect(login.attributes.server == "a.example" && login.attributes.account == "ann")
    #expect(login.text(.comment) == "url: https://b.example\nuser: bob")
  }

  @Test(
    "a file that cannot be read is an error that names the line",
    arguments: [
      ("", "empty"), ("a,b\n1,2\n", "header of no program"),
      ("name,url,username,password,Name\n", "twice"),
      ("name,url,username,password\nm,,u,\"p\n", "line 2 is never closed"),
      ("na\"me,url\n", "cannot be read"), ("n\u{0}a\u{0}", "NUL"),
    ])
  func unreadable(text: String, reason: String) throws {
    let failure = try #require(CSVOutcome(Array(text.utf8)).failure)
    #expect(failure.code == .importUnreadable && failure.message.contains(reason), "\(failure)")
    #expect(failure.hint != nil)
  }

  @Test("UTF-16 is reported as not being UTF-8")
  func wideCharacters() throws {
    var bytes: [UInt8] = [0xFF, 0xFE]
    for byte in "name,url\n".utf8 { bytes += [byte, 0] }
    let failure = try #require(CSVOutcome(bytes).failure)
    #expect(failure.hint?.contains("UTF-8") == true, "\(failure)")
  }

  @Test("a row that makes no item is reported with its line and the reason, never with a secret")
  func skipped() {
    let long = String(repeating: "x", count: 1025)
    let outcome = CSVOutcome(
      "name,url,username,password", "a,b", ",,,", ",,,pw-6177", "\(long),,,pw-6177",
      "ok,,u,pw", "m,,u,\"pw-6177\"x", "big,,u,\(String(repeating: "y", count: 49_153))")
    #expect(outcome.items.map(\.origin) == ["line 6"])
    #expect(
      outcome.skipped.map(\.origin) == ["line 2", "line 3", "line 4", "line 5", "line 7", "line 8"])
    for entry in outcome.skipped { #expect(!entry.reason.contains("6177")) }
    #expect(outcome.skipped[5].reason.contains("49152"))
  }

  @Test("a password of the largest length and an empty one are kept as they are")
  func lengths() {
    let largest = String(repeating: "y", count: 49_152)
    let outcome = CSVOutcome("name,url,username,password", "a,,u,\(largest)", "b,,u,")
    #expect(outcome.items.map(\.secret.count) == [49_152, 0])
  }

  @Test("notes that fill an item are kept, and longer ones are named while the login stays")
  func longNotes() {
    for (count, items) in [(largestItemSecret, 2), (largestItemSecret + 1, 1)] {
      let notes = String(repeating: "n", count: count)
      let outcome = CSVOutcome(
        "name,url,username,password,note", "Mail,https://example.org,ann,pw,\(notes)")
      #expect(outcome.items.count == items && outcome.items[0].text == "pw")
      #expect(outcome.skipped.map(\.origin) == (items == 2 ? [] : ["line 2, its notes"]))
    }
  }

  @Test("every attribute that is written is one that the class may have")
  func schema() {
    let outcome = CSVOutcome(
      "folder,favorite,type,name,notes,fields,login_uri,login_username,login_password,login_totp",
      "f,,login,a,n,x: y,https://a.example:1/b,u,p,t", "f,,note,b,n,,,,,", "f,,login,c,n,,,u,p,")
    #expect(outcome.items.count == 6)
    for item in outcome.items {
      for name in item.attributes.values.names {
        #expect(item.itemClass.attributes.contains(name))
        #expect(item.attributes.values[name]?.fits(name.form) == true)
      }
    }
  }
}
