import Foundation
import LinuxSystem
import Protocol
import Synchronization
import TestSupport
import Testing

@testable import PluginHosting

@Suite("An engine in this process")
struct LoadedEngineTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func load(
    _ macros: [String] = [], _ services: HostServices, as kind: EngineKind = .policy
  ) throws -> LoadedEngine {
    let path = try Fixture.compile("engine.c", ["KIND=\(kind.rawValue)"] + macros, in: folder)
    return try LoadedEngine(TrustedFile(checking: path), kind: kind, services: services)
  }

  private func call(_ engine: inout LoadedEngine, _ text: String) throws -> [UInt8] {
    let reply = try engine.call(Array(text.utf8).span)
    return (0..<reply.count).map { reply.bytes[$0] }
  }

  @Test("it answers, and its events arrive")
  func answer() throws {
    let events = Mutex<[Int]>([])
    var engine = try load(
      [],
      HostServices(
        log: { _, _ in },
        events: { bytes in
          let count = bytes.count
          events.withLock { $0.append(count) }
        }))
    #expect(engine.name == "fixture-enclave")
    #expect(try call(&engine, "any") == Array("any".utf8))
    #expect(try call(&engine, "e") == [0])
    #expect(events.withLock { $0 } == [5])
  }

  @Test("a store that fails says which file and why, and the old file is untouched")
  func failingStore() throws {
    let lines = Mutex<[String]>([])
    let path = folder.file("store")
    let store = try FolderStore(path: path)
    let services = HostServices(
      store: store,
      log: { level, text in lines.withLock { if level == .error { $0.append(text) } } })
    var engine = try load([], services)
    #expect(try call(&engine, "sfirst") == [0])
    // What the new file would be written to is a folder: the write fails after the old one was
    // found.
    try folder.makeFolder("store/.state.new")
    #expect(try call(&engine, "ssecond") == [106])
    #expect(lines.withLock { $0 } == ["Cannot write \(path)/state: Is a directory"])
    #expect(try call(&engine, "l") == [0] + Array("first".utf8))
  }

  @Test("a file that is larger than its reader takes is told with its size")
  func largeFile() throws {
    let services = HostServices(
      store: try FolderStore(path: folder.file("store")), log: { _, _ in })
    var engine = try load([], services)
    #expect(try call(&engine, "s" + String(repeating: "x", count: 33)) == [0])
    #expect(try call(&engine, "l").first == 113)
  }

  @Test("an engine that refuses to start is an error with its own message")
  func refusal() throws {
    let failure = try #require(throws: Failure.self) {
      _ = try load(["REFUSE"], HostServices(log: { _, _ in }))
    }
    #expect(failure.code == .stateDamaged)
    #expect(failure.message == "the root key is damaged")
    #expect(failure.hint == "engine: \(folder.file("plugin.so"))")
  }

  @Test("a policy engine built for version 1.0 still answers")
  func earlierPolicy() throws {
    var engine = try load(["VERSION=AC_ABI_VERSION(1, 0)"], HostServices(log: { _, _ in }))
    #expect(try call(&engine, "any") == Array("any".utf8))
  }

  @Test(
    "an enclave or keychain built for version 1.0, whose messages are others, is refused by name",
    arguments: [EngineKind.enclave, .keychain])
  func earlierMailbox(kind: EngineKind) throws {
    let failure = try #require(throws: Failure.self) {
      _ = try load(["VERSION=AC_ABI_VERSION(1, 0)"], HostServices(log: { _, _ in }), as: kind)
    }
    #expect(
      failure.message
        == "Cannot use \(folder.file("plugin.so")): it was built for version 1.0 of the plugin "
        + "interface; this is 1.1")
    #expect(failure.hint == "install the one that comes with this version of authcore")
  }
}
