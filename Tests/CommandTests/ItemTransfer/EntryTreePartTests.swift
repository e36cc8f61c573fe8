import Protocol
import Testing

@testable import ItemTransfer

@Suite("Parts of JSON and XML of other programs")
struct EntryTreePartTests {
  @Test("FINDINGS B4: texts of groups, of histories and of rare fields are in a note, or named")
  func rareTexts() throws {
    func strings(_ pairs: [String: String]) -> String {
      pairs.sorted { $0.key < $1.key }
        .map { "<String><Key>\($0.key)</Key><Value>\($0.value)</Value></String>" }.joined()
    }
    let long = String(repeating: "x", count: largestItemSecret / 2)
    let keePass = WholeOutcome(
      """
      <KeePassFile><Root><Group><Name>Top</Name><IsExpanded>True</IsExpanded>
      <Group><Name>Web</Name><Notes>group 1</Notes>
      <CustomData><Item><Key>k</Key><Value>group 2</Value></Item></CustomData>
      <Entry>\(strings(["Title": "Mail", "Password": "pw", "Notes": "n"]))
      <OverrideURL>cmd://x</OverrideURL><AutoType><Enabled>True</Enabled>
      <DefaultSequence>{PASSWORD}</DefaultSequence><Association><Window>Win</Window></Association>
      </AutoType><CustomData><Item><Key>own</Key><Value>data</Value></Item></CustomData>
      <Binary><Key>a.pdf</Key></Binary><History>
      <Entry>\(strings(["Title": "Mail", "Notes": "n-1", "PIN": "1"]))
      <Binary><Key>a.pdf</Key></Binary><Binary><Key>b.pdf</Key></Binary></Entry>
      <Entry>\(strings(["Notes": "n", "URL": long]))</Entry></History></Entry>
      </Group></Group></Root></KeePassFile>
      """)
    #expect(keePass.collected.item(.note, "Web")?.text == "group 1\n\nk: group 2")
    #expect(
      keePass.collected.item(.note, "Mail, notes")?.text == """
        n

        OverrideURL: cmd://x
        DefaultSequence: {PASSWORD}
        Window: Win
        own: data
        earlier notes: n-1
        earlier PIN: 1
        """)
    #expect(
      keePass.skipped.map(\.reason)
        == [
          "attachment a.pdf", "earlier url", "earlier attachment b.pdf",
        ].map { "no item holds its \($0)" })
    #expect(keePass.items.count == 3)
    let one = WholeOutcome(
      #"""
      {"accounts":[{"vaults":[{"items":[{"overview":{"title":"Mail"},"details":{"password":"pw",
      "sections":[{"fields":[{"title":"see","value":{"reference":"r-1"}}]}]}}]}]}]}
      """#)
    #expect(one.collected.item(.note, "Mail, notes")?.text == "see: r-1")
    let enpass = WholeOutcome(
      #"""
      {"items":[{"title":"Mail","category":"login","fields":[{"label":"a","type":"password",
      "value":"pw"},{"label":"More","type":"section","value":"s-1"}]}]}
      """#)
    #expect(enpass.collected.item(.note, "Mail, notes")?.text == "More: s-1")
  }

  @Test("FINDINGS B4: a login's own code and address come before what people add, in any order")
  func ownFirst() throws {
    let proton = WholeOutcome(
      #"""
      {"version":"1","vaults":{"v":{"name":"","items":[{"data":{"extraFields":[
      {"fieldName":"2","type":"totp","data":{"totpUri":"BBBB"}}],"metadata":{"name":"Mail"},
      "type":"login","content":{"password":"pw","urls":["https://a.example"],"totpUri":"AAAA"}}}]}}}
      """#)
    #expect(proton.collected.code("a.example") == "AAAA")
    #expect(proton.collected.code("a.example #2") == "BBBB")
    let bitwarden = WholeOutcome(
      #"""
      {"encrypted":false,"items":[{"fields":[{"name":"totp","value":"BBBB"}],"type":1,"name":"Mail",
      "login":{"uris":[{"uri":"https://a.example"}],"password":"pw","totp":"AAAA"}}]}
      """#)
    #expect(bitwarden.collected.code("a.example") == "AAAA")
    #expect(bitwarden.collected.item(.note, "Mail, notes")?.text == "totp: BBBB")
    let strings = [
      ("KP2A_URL", "https://b.example"), ("Title", "Mail"), ("URL", "https://a.example"),
    ]
    .map { "<String><Key>\($0)</Key><Value>\($1)</Value></String>" }.joined()
    let keePass = WholeOutcome(
      "<KeePassFile><Root><Group><Entry>\(strings)</Entry></Group></Root></KeePassFile>")
    #expect(keePass.items.first?.attributes.server == "a.example")
    #expect(keePass.items.first?.text(.comment) == "url: https://b.example")
  }
}
