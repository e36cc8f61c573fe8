import Cryptography
import LinuxSystem
import Protocol

/// Names of hosts in files of known hosts (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT").
///
/// A name is a hint for a person: the file says who wrote it there, and the key is the fact.
struct KnownHosts: Sendable {
  /// Paths, read again at each search.
  let files: [String]

  private static let longest = 4 << 20

  /// The name of the host with this key, as the first file that has one says; nil if none has.
  /// Hashed names and patterns name nothing, and a revoked key has no name.
  func name(of host: PublicKeyBlob) -> String? {
    let key = Base64.text(of: host.plain)
    var name: String?
    for file in files {
      guard let path = CanonicalPath.of(file),
        let bytes = SmallFile.contents(of: path, limit: Self.longest)
      else { continue }
      for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
        var words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let marker = words.first?.first == UInt8(ascii: "@") ? words.removeFirst() : nil
        guard words.count >= 3, words[2].elementsEqual(key.utf8) else { continue }
        if let marker {
          if marker.elementsEqual("@revoked".utf8) { return nil }
          continue
        }
        name = name ?? Self.name(in: words[0])
      }
    }
    return name
  }

  private static func name(in field: ArraySlice<UInt8>) -> String? {
    let names = field.split(separator: UInt8(ascii: ","))
    let found = names.first { !$0.isEmpty && !$0.contains { "|*?!".utf8.contains($0) } }
    return found.flatMap { String(validating: $0, as: UTF8.self) }
  }
}
