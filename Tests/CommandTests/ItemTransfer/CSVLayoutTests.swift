import Protocol
import Testing

@testable import ItemTransfer

@Suite("Layouts of CSV")
struct CSVLayoutTests {
  /// Whatever stands in a comment is in every list.
  private func expectNoComment(_ outcome: CSVOutcome, has secrets: String...) {
    for item in outcome.items {
      for secret in secrets { #expect(!item.text(.comment).contains(secret), "\(item)") }
    }
  }

  @Test("FINDINGS B4: LastPass, old and new: notes have no address, texts no entities")
  func lastPass() throws {
    for codes in [true, false] {
      let (name, value) = codes ? (",totp", ",JBSWY3DPEHPK3PXP") : ("", "")
      let none = codes ? "," : ""
      let outcome = CSVOutcome(
        "url,username,password\(name),extra,name,grouping,fav",
        "https://example.org/#/,ann,G%W!7&amp;#\(value),,example.org,Work\\Sub,1",
        "http://sn,,\(none),\"NoteType:Credit Card\nNumber:4111\",My card,Cards,0",
        "http://sn,,\(none),plain secure note,A note,,0", "http://group,,\(none),,Work,Work\\Sub,0",
        "http://,ann,a<b&amp;\(none),,No address,,0")
      #expect(outcome.program == "LastPass" && outcome.unkept == ["fav"])
      #expect(outcome.skipped.isEmpty && outcome.failure == nil)
      let login = try #require(outcome.items.first)
      #expect(login.attributes.server == "example.org" && login.text == "G%W!7&#")
      #expect(
        login.text(.comment) == "folder: Work\\Sub\nurl: https://example.org/#/"
          || login.text(.comment) == "grouping: Work\\Sub\nurl: https://example.org/#/")
      #expect(outcome.items[1].text == "password in the file: G%W!7&amp;#")
      #expect(outcome.collected.code("example.org") == (codes ? "JBSWY3DPEHPK3PXP" : nil))
      #expect(outcome.collected.item(.note, "My card")?.text == "NoteType:Credit Card\nNumber:4111")
      #expect(outcome.collected.item(.note, "A note")?.text == "plain secure note")
      // A raw sign shows that this text is not written as in a web page.
      let bare = try #require(outcome.collected.item(.generic, "No address"))
      #expect(bare.text == "a<b&amp;" && bare.attributes.account == "ann")
      expectNoComment(outcome, has: "JBSW", "4111", "secure")
    }
  }

  @Test("FINDINGS B4: Proton Pass: e-mail addresses, several addresses, codes, aliases and cards")
  func protonPass() throws {
    let outcome = CSVOutcome(
      "type,name,url,email,username,password,note,totp,createTime,modifyTime,vault",
      """
      login,Example,https://example.org,ann@example.org,ann,pw,a note,otpauth://totp/E?secret=AA,1,\
      2,Personal
      """,
      "login,Two,\"https://two.example, https://www.two.example\",ann@example.org,,pw2,,,1,2,Home",
      "note,My note,,,,,note text,,1,2,Personal", "alias,al,,ann@passmail.example,,,,,1,2,Personal",
      "creditCard,Visa,,,,,\"{\"\"number\"\":\"\"4111\"\"}\",,1,2,Personal")
    #expect(outcome.program == "Proton Pass" && outcome.skipped.isEmpty)
    let first = try #require(outcome.items.first)
    #expect(first.attributes.account == "ann")
    #expect(first.text(.comment) == "vault: Personal\nemail: ann@example.org")
    #expect(outcome.collected.code("example.org") == "otpauth://totp/E?secret=AA")
    let second = try #require(outcome.collected.item(.internet, "Two"))
    #expect(second.attributes.account == "ann@example.org")
    #expect(second.attributes.server == "two.example")
    #expect(second.text(.comment) == "vault: Home\nurl: https://www.two.example")
    #expect(outcome.collected.item(.note, "My note")?.text == "note text")
    #expect(outcome.collected.item(.note, "al")?.text.contains("ann@passmail.example") == true)
    #expect(outcome.collected.item(.note, "Visa")?.text == "{\"number\":\"4111\"}")
    expectNoComment(outcome, has: "4111", "secret", "a note")
  }

  @Test("FINDINGS B4: NordPass: cards, people and folders; what a login has more is in its note")
  func nordPass() throws {
    let outcome = CSVOutcome(
      """
      name,url,additional_urls,username,password,note,cardholdername,cardnumber,cvc,pin,expirydate,\
      zipcode,folder,full_name,phone_number,email,address1,type,custom_fields
      """,
      """
      Mail,https://mail.example,"[""https://m.example""]",ann,pw,hint,,,,,,,Work,,,,,password,\
      "[{""label"":""PIN"",""value"":""9911""}]"
      """,
      "Visa,,,,,,Ann,4111,737,1234,12/30,,,,,,,credit_card,",
      "Me,,,,,,,,,,,,,Ann A,+49,a@b.c,X,identity,",
      "Work,,,,,,,,,,,,,,,,,folder,")
    #expect(outcome.program == "NordPass" && outcome.skipped.isEmpty)
    let login = try #require(outcome.collected.item(.internet, "Mail"))
    #expect(login.text(.comment) == "folder: Work\nurl: https://m.example")
    let note = outcome.collected.item(.note, "Mail, notes")?.text ?? ""
    #expect(note.hasPrefix("hint\n\n") && note.contains("9911"))
    let card = outcome.collected.item(.note, "Visa")?.text ?? ""
    #expect(card.contains("cardnumber: 4111") && card.contains("cvc: 737"))
    let person = outcome.collected.item(.note, "Me")?.text ?? ""
    #expect(person.contains("full_name: Ann A") && person.contains("email: a@b.c"))
    #expect(outcome.items.count == 4)
    expectNoComment(outcome, has: "4111", "737", "1234", "9911", "Ann A")
  }

  @Test("FINDINGS B4: Dashlane's files, with a header and without")
  func dashlane() throws {
    let logins = CSVOutcome(
      "username,username2,username3,title,password,note,url,category,otpUrl",
      "ann,alt@example.org,,Example,pw,a note,https://example.org,Work,otpauth://totp/E?secret=AA",
      "bob,,,Two,pw2,,two.example,,")
    #expect(logins.program == "Dashlane" && logins.skipped.isEmpty)
    #expect(logins.items[0].attributes.account == "ann" && logins.items[0].text == "pw")
    #expect(logins.items[0].text(.comment) == "category: Work\nuser: alt@example.org")
    #expect(logins.collected.code("example.org") == "otpauth://totp/E?secret=AA")
    #expect(logins.collected.item(.internet, "Two")?.attributes.server == "two.example")
    let notes = CSVOutcome("title,note", "Safe,code 4711")
    #expect(notes.program == "Dashlane, notes" && notes.items.map(\.text) == ["code 4711"])
    let cards = CSVOutcome(
      "type,account_name,account_holder,cc_number,code,expiration_month,expiration_year,note,name",
      "payment_card,Visa,Ann,4111,737,12,30,,Visa", "payment_card,,Ann,4112,737,12,30,,")
    #expect(cards.items.map(\.itemClass) == [.note, .note] && cards.skipped.isEmpty)
    #expect(cards.items.map(\.attributes.label) == ["Visa", "Dashlane, payments, line 3"])
    #expect(cards.items[0].text.contains("cc_number: 4111"))
    let papers = CSVOutcome(
      "type,number,name,issue_date,expiration_date,place_of_issue,state",
      "passport,C01X,Ann,2020-01-01,,Berlin,")
    #expect(papers.items[0].attributes.label == "passport")
    #expect(papers.items[0].text.contains("number: C01X"))
    let old = CSVOutcome(
      "\"Example\",\"https://example.org\",\"ann\",\"pw\",\"a note\"",
      "\"Two\",\"two.example\",\"bob\",\"b@example.org\",\"pw2\",\"\"",
      "\"A card\",\"4111\",\"737\"")
    #expect(old.program?.hasPrefix("Dashlane") == true && old.skipped.isEmpty)
    #expect(old.collected.item(.internet, "Example")?.text == "pw")
    #expect(old.collected.item(.internet, "Two")?.text(.comment) == "user: b@example.org")
    #expect(old.items.last?.text == "A card\n4111\n737")
    for outcome in [logins, notes, cards, papers, old] {
      expectNoComment(outcome, has: "4711", "4111", "737", "C01X", "a note")
    }
  }

  @Test("FINDINGS B4: an unknown layout is refused with what it needs, and --map reads it")
  func mapping() throws {
    let text = Array("Konto;x,Nutzer,Kennwort,Extra,Kode\nMail,ann,pw-1,pin 1,AAAA\n".utf8)
    let failure = try #require(CSVOutcome(text).failure)
    #expect(failure.code == .importUnreadable && failure.hint?.contains("--map title=") == true)
    let map = try ColumnMap("title=Konto;x,username=nutzer,password=Kennwort,otp=Kode")
    let outcome = CSVOutcome(text, map)
    let login = try #require(outcome.items.first)
    #expect(login.attributes.service == "Mail" && login.attributes.account == "ann")
    #expect(login.text == "pw-1" && outcome.items[1].text == "Extra: pin 1")
    #expect(outcome.collected.code("Mail") == "AAAA")
    for broken in ["", "title", "title=a", "password=a", "nonsense=a,password=b,title=c"] {
      let failure = #expect(throws: Failure.self) { try ColumnMap(broken) }
      #expect(failure?.code == .usage && failure?.hint != nil)
    }
    let absent = CSVOutcome(text, try ColumnMap("title=Name,password=Kennwort"))
    #expect(absent.failure?.code == .usage, "\(String(describing: absent.failure))")
  }

  @Test("FINDINGS B4: what may hold a secret is in no attribute, and in the note beside")
  func hiddenSecrets() throws {
    let outcome = CSVOutcome(
      "name,url,username,password,folder", ",https://u:t-9@a.example/?k=t-9,ann,p,",
      ",otpauth://totp/A:ann?secret=t-9,,p,", ",steam://t-9,ann,p,",
      "B,https://b.example/#t-9,ann,p,",
      "https://u:t-9@c.example/,,ann,p,", "D,https://d.example,https://t-9@d.example/,p,",
      "E,https://e.example,ann,p,see https://e.example/#t-9", "F,androidx://u:t-9@f/,ann,p,",
      ",https://u:t/9?t-9@g.example/,,p,", "Why? #1,https://h.example/#/x,ann,p,a/b?")
    #expect(outcome.failure == nil && outcome.skipped.isEmpty)
    for item in outcome.items {
      for name in item.attributes.values.names {
        #expect(!item.text(name).contains("t-9"), "\(item)")
      }
    }
    #expect(outcome.items.count { $0.itemClass == .note && $0.text.contains("t-9") } == 9)
    #expect(outcome.items.count { $0.text == "p" } == 10)
    #expect(outcome.items.first?.attributes.service == "a.example")
    #expect(outcome.collected.item(.generic, "line 3")?.attributes.service == "line 3")
    #expect(
      outcome.collected.item(.internet, "Why? #1")?.text(.comment)
        == "folder: a/b?\nurl: https://h.example/#/x")
    let tree = WholeOutcome(
      #"""
      {"encrypted":false,"items":[{"type":1,"name":"https://u:t-9@a.example/?t-9",
      "login":{"password":"pw","fido2Credentials":[{"rpId":"a.example"}]}}]}
      """#)
    #expect(tree.skipped.map(\.origin) == ["a.example"])
    #expect(tree.items.map(\.attributes.label) == ["a.example", "a.example, notes"])
  }

  @Test("FINDINGS B4: an address that may hold a token or a password stands in no comment")
  func addresses() {
    let outcome = CSVOutcome(
      "name,url,username,password", "A,https://a.example/x?token=t-9,u,p",
      "B,https://ann:t-9@b.example,u,p", "C,https://c.example/#t=t-9,u,p",
      "D,https://d.example/@ann,u,p")
    expectNoComment(outcome, has: "t-9")
    #expect(outcome.items.count { $0.itemClass == .note && $0.text.contains("t-9") } == 3)
    #expect(outcome.collected.item(.internet, "D")?.text(.path) == "/@ann")
  }
}
