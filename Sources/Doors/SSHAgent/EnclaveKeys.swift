import CoreClient
import Cryptography
import LinuxSystem
import Protocol

/// A key of the enclave as the agent offers it.
struct OfferedKey: Equatable, Sendable {
  let name: String
  let point: [UInt8]
  /// The keychain's identifier; nil if only a file says that the key exists.
  var identifier: String?
  var isReusable = false

  var blob: [UInt8] { P256PublicKey.openSSHBlob(of: point) }
}

/// The keys of the core. Any thread.
///
/// A locked device tells of none. The keys that were seen before, and those that `ssh setup` wrote
/// to files, stay in the list, because ssh asks for no signature of a key that is not listed.
final class EnclaveKeys: Sendable {
  /// The names that are offered; all if empty.
  private let only: Set<String>
  private let folder: String?
  private let seen: Guarded<[OfferedKey]>
  /// Those of ``only`` that were not reported as missing.
  private let unreported: Guarded<Set<String>>

  /// - Parameters:
  ///   - only: the names that are offered; all if empty.
  ///   - folder: has the files of `ssh setup`; nil for none.
  init(only: [String], folder: String?) {
    self.only = Set(only)
    unreported = Guarded(self.only)
    self.folder = folder
    seen = Guarded(folder.map(Self.written) ?? [])
  }

  /// All keys that are known, oldest first. Never prompts. `core` acts for the caller.
  func list(by core: ApplicationClient) -> [OfferedKey] {
    let found: [OfferedKey]
    do throws(Failure) {
      let reply: FoundKeys = try core.ask(FindKeys(query: KeyQuery()), .forbidden)
      found = reply.keys.map {
        OfferedKey(
          name: $0.name, point: $0.publicKey, identifier: $0.identifier,
          isReusable: $0.accessControl?.additions.contains(.reusable) ?? false)
      }
    } catch {
      guard error.code == .errSecItemNotFound else { return offered(seen.read { $0 }) }
      found = []
    }
    let missing = unreported.read { $0.subtracting(found.map(\.name)) }
    let isMissed = seen.read { seen in
      seen.contains { key in !found.contains { $0.point == key.point } }
    }
    let mayBeClosed = (isMissed || !missing.isEmpty) && isLocked(core)
    if !mayBeClosed { report(missing) }
    return offered(
      seen.update { seen in
        let closed = seen.filter { key in !found.contains { $0.point == key.point } }
        seen = found + (mayBeClosed ? closed : [])
        return seen
      })
  }

  private func offered(_ keys: [OfferedKey]) -> [OfferedKey] {
    only.isEmpty ? keys : keys.filter { only.contains($0.name) }
  }

  /// Says once which of the keys to offer there are not.
  private func report(_ missing: Set<String>) {
    guard !missing.isEmpty else { return }
    unreported.update { $0.subtract(missing) }
    for name in missing.sorted() {
      StandardError.say("authcore-ssh-agent: --only: there is no key called \(name.printable)")
    }
  }

  private func isLocked(_ core: ApplicationClient) -> Bool {
    do throws(Failure) {
      return try (core.request(GetStatus()) as CoreStatus).isLocked
    } catch {
      return true
    }
  }

  /// The key with this point. Asks the core if it was not seen yet.
  func find(_ point: [UInt8], by core: ApplicationClient) -> OfferedKey? {
    let known = offered(seen.read { $0 }).first { $0.point == point }
    return known ?? list(by: core).first { $0.point == point }
  }

  /// The message that signs a SHA-256 hash.
  static func request(_ key: OfferedKey, digest: [UInt8]) throws(Failure) -> UseKey {
    var query = KeyQuery()
    if let identifier = key.identifier {
      query.identifier = identifier
    } else {
      // Another key may have got the name since.
      query.name = key.name
      query.applicationLabel = try? SHA1.hash(key.point.span)
    }
    return UseKey(query: query, operation: .sign, input: digest)
  }

  /// Certificates beside the keys that `ssh setup` wrote, with the point of the key of each.
  func certificates() -> [(point: [UInt8], blob: [UInt8])] {
    guard let folder else { return [] }
    return Self.lines(in: folder, suffix: "-cert.pub").compactMap { line in
      line.key.isCertificate ? line.key.p256Point.map { ($0, line.blob) } : nil
    }
  }

  /// The public halves in a folder.
  private static func written(in folder: String) -> [OfferedKey] {
    lines(in: folder, suffix: ".pub").compactMap { line in
      guard !line.key.isCertificate, let point = line.key.p256Point else { return nil }
      return OfferedKey(name: line.comment, point: point)
    }
  }

  /// The first lines, as of `authorized_keys`, of the files whose names end so.
  private static func lines(
    in folder: String, suffix: String
  ) -> [(key: PublicKeyBlob, blob: [UInt8], comment: String)] {
    FolderNames.sorted(in: folder).filter { $0.hasSuffix(suffix) }.compactMap { file in
      guard let bytes = SmallFile.contents(of: folder + "/" + file),
        let line = String(validating: bytes, as: UTF8.self)?.split(separator: "\n").first
      else { return nil }
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count == 3, let blob = Base64.decoded(String(words[1])),
        let key = try? PublicKeyBlob(blob)
      else { return nil }
      return (key, blob, String(words[2]))
    }
  }
}
