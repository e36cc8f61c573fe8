import Protocol
import Testing

@Suite("Items that want a strict match")
struct StrictItemTests {
  @Test("A1, A3: that an item wants a strict match is kept with it, and it opens to one alone")
  func kept() throws {
    let folder = try TestFolder()
    let keychain = try TestKeychain(folder)
    for access in ["biometry-any", "biometry-any or passcode", "presence"] {
      let added = try keychain.add(
        access, accessible: .whenUnlockedThisDeviceOnly, access: access, requiresStrictMatch: true)
      let control = try AccessControl(parsing: access, with: .strictMatch)
      #expect(added.accessControl == control)
      #expect(try keychain.find(query(access)).map(\.accessControl) == [control])
      keychain.enclave.evidence[1] = .relaxedBiometry
      #expect(throws: TestKeychain.NeedsEvidence.self) { try keychain.get(query(access)) }
      keychain.enclave.evidence[1] = .biometry
      #expect(try keychain.get(query(access)) == "s3cret")
    }
  }
}
