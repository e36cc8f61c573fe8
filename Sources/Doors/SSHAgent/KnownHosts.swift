import Cryptography
import LinuxSystem
import Protocol

/// Names of hosts in files of known hosts (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT").
///
/// A name is a hint for a person: the file says who wrote it there, and the key is the fact.
struct KnownHosts: Sendable {
  /// Paths, read again at each search.
  let files: [String]
  /// A file of ssh_config(5), whose words may be names of hosts.
  var configuration: String?

  private static let longest = 4 << 20
  private static let mostGuesses = 10_000

  /// The name of the host with this key, as the first file that has one says; nil if none has.
  /// Patterns name nothing, and a revoked key has no name. A hashed name is known only if it is a
  /// word of `command` or of the configuration.
  func name(of host: PublicKeyBlob, for command: [String] = []) -> String? {
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
        name = name ?? Self.name(in: words[0]) ?? unhashed(words[0], for: command)
      }
    }
    return name
  }

  private static func name(in field: ArraySlice<UInt8>) -> String? {
    let names = field.split(separator: UInt8(ascii: ","))
    let found = names.first { !$0.isEmpty && !$0.contains { "|*?!".utf8.contains($0) } }
    return found.flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// The name of which `field` is the hash: `|1|`, a salt, `|`, and the HMAC-SHA1 of the name.
  private func unhashed(_ field: ArraySlice<UInt8>, for command: [String]) -> String? {
    let parts = field.split(separator: UInt8(ascii: "|")).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard field.first == UInt8(ascii: "|"), parts.count == 3, parts[0] == "1",
      let salt = Base64.decoded(parts[1]), let hash = Base64.decoded(parts[2])
    else { return nil }
    let key = SecretBytes(copying: salt.span)
    return guesses(for: command).first { guess in
      hash == (try? HMAC.code(for: Array(guess.utf8).span, with: key, by: .sha1))
    }
  }

  /// What may be the name of a host, as ssh writes it: in lower case, and `[host]:port` unless the
  /// port is 22.
  private func guesses(for command: [String]) -> [String] {
    let path = configuration.flatMap { CanonicalPath.of($0) }
    let written = path.flatMap { SmallFile.contents(of: $0) } ?? []
    let words =
      command.flatMap { $0.split(separator: "@") }
      + String(decoding: written, as: UTF8.self).split { $0.isWhitespace || "=\"".contains($0) }
    let names = Array(Set(words.map { $0.lowercased() }))
    let ports = names.map { $0.hasPrefix("-p") ? String($0.dropFirst(2)) : $0 }.filter {
      UInt16($0) != nil
    }
    let others = names.lazy.flatMap { name in ports.lazy.map { "[\(name)]:\($0)" } }
    return Array((names + others.prefix(Self.mostGuesses)).prefix(Self.mostGuesses))
  }
}
