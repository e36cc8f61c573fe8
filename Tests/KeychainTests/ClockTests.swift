import Protocol
import Testing

@Suite("The clock")
struct ClockTests {
  // In a process of its own, since all hosts have one clock.
  @Test("a clock that is set back, before 1970 even, changes dates and nothing else")
  func setBack() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TestFolder()
      let keychain = try TestKeychain(folder)
      let first = try keychain.add("mail", secret: "1")
      for time in [1_000, 0, -1_000_000_000] as [Int64] {
        FakeHost.setClock(to: time)
        try keychain.update(query("mail"), secret: "at \(time)")
        try keychain.add("added at \(time)")
        let items = try TestKeychain(folder).find()
        let mail = try #require(items.first)
        #expect(mail.service == "mail", "the order is that of adding")
        #expect(mail.createdAt == first.createdAt && mail.modifiedAt < mail.createdAt)
        #expect(items.last?.service == "added at \(time)")
        #expect(try keychain.get(query("mail")) == "at \(time)")
      }
      #expect(try keychain.find().count == 4)
      #expect(try keychain.remove(ItemQuery.everything, all: true) == 4)
    }
  }
}

extension ItemQuery {
  /// What all items here have.
  fileprivate static var everything: ItemQuery {
    var query = ItemQuery()
    query.account = "ann"
    return query
  }
}
