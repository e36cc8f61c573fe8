import Foundation
import GRDB
import Glibc
import Protocol
import Testing

@Suite("Room in the write-ahead log")
struct LogRoomTests {
  let folder: TestFolder
  let keychain: TestKeychain

  init() throws {
    folder = try TestFolder()
    keychain = try TestKeychain(folder)
  }

  private var log: String { folder.database + "-wal" }

  private func length() throws -> Int { try contents(of: log).count }

  @Test("K4: most adds write into room that is there, and none needs more than a megabyte more")
  func seldomLonger() throws {
    var lengths: [Int] = []
    for number in 0..<120 {
      try keychain.add("service \(number)")
      lengths.append(try length())
    }
    let steps = zip(lengths, lengths.dropFirst()).map { $1 - $0 }
    #expect(steps.filter { $0 != 0 }.count < 15, "\(steps)")
    #expect(steps.allSatisfy { 0...(1 << 20) + (64 << 10) ~= $0 })
    #expect(try keychain.find().count == 120)
  }

  @Test("what lies in the room is read by nobody, whatever it is")
  func strangeRoom() throws {
    try keychain.add("service 0")
    let file = try FileHandle(forUpdating: URL(filePath: log))
    let end = try file.seekToEnd()
    try file.seek(toOffset: end - 16_000)
    try file.write(contentsOf: Data((0..<16_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }))
    try file.close()
    let other = try TestKeychain(folder)
    #expect(try other.find().count == 1)
    for number in 1..<30 { try other.add("service \(number)") }
    #expect(try keychain.find().count == 30)
  }

  @Test("a removal overwrites the log in its place, which others then find whole")
  func afterRemoval() throws {
    for number in 0..<10 { try keychain.add("service \(number)") }
    let before = try length()
    for number in 3..<6 { try keychain.remove(query("service \(number)")) }
    #expect(try length() == before)
    #expect(try contents(of: log).suffix(before / 4).allSatisfy { $0 == 0 })
    for number in 10..<20 { try keychain.add("service \(number)") }
    let other = try TestKeychain(folder)
    #expect(try other.find().count == 17)
    try other.remove(query("service 12"))
    try keychain.remove(query("service 13"))
    #expect(try keychain.find().count == 15)
    #expect(try other.find().count == 15)
  }

  @Test("another file in the log's place is not touched", arguments: [false, true])
  func anotherFile(isSymbolicLink: Bool) throws {
    for number in 0..<3 { try keychain.add("service \(number)") }
    let precious = folder.path + "/precious"
    let before = Data(repeating: 7, count: 1 << 20)
    try write(before, to: precious)
    try FileManager.default.removeItem(atPath: log)
    if isSymbolicLink {
      try FileManager.default.createSymbolicLink(atPath: log, withDestinationPath: precious)
    } else {
      try FileManager.default.linkItem(atPath: precious, toPath: log)
    }
    for number in 3..<9 { _ = try? keychain.add("service \(number)") }
    #expect(try contents(of: precious) == before)
  }
}
