import Protocol

/// What `authcore ssh setup` writes, as text.
enum SSHSetupText {
  static let start = "# authcore ssh setup: start"
  static let end = "# authcore ssh setup: end"

  /// Applies to every host; an earlier `IdentityAgent` wins (ssh_config(5)).
  static let clientLines = ["Match all", "  IdentityAgent ${XDG_RUNTIME_DIR}/authcore-ssh.sock"]

  /// The file with our marked block replaced, or appended if there is none; nil if the block has no
  /// end.
  static func settingBlock(_ lines: [String], in text: String) -> String? {
    var kept = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    let block = [start] + lines + [end]
    guard let first = kept.firstIndex(of: start) else {
      if kept.last == "" { kept.removeLast() }
      return (kept + block).joined(separator: "\n") + "\n"
    }
    guard let last = kept[first...].firstIndex(of: end) else { return nil }
    kept.replaceSubrange(first...last, with: block)
    return kept.joined(separator: "\n")
  }

  /// Whether a key's name can be a file's name and a word of a line.
  static func isFileName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "."), name.utf8.count <= 200 else {
      return false
    }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
  }

  /// The name in `allowed_signers` (ssh-keygen(1)) under which keys sign: what Git prints as
  /// `user.email`, or every name if that is empty or would be a pattern.
  static func signer(email: String) -> String {
    let line = email.split(separator: "\n", omittingEmptySubsequences: false).first ?? ""
    let isName = line.utf8.allSatisfy {
      UInt8(ascii: "!") < $0 && $0 < 0x7F && !#"#"*,?"#.utf8.contains($0)
    }
    return line.isEmpty || !isName ? "*" : String(line)
  }

  /// The arguments of `git config --global` that sign with the key in a folder.
  static func gitSettings(folder: String, key: String) -> [[String]] {
    [
      ["gpg.format", "ssh"], ["user.signingkey", "\(folder)/\(key).pub"],
      ["gpg.ssh.allowedSignersFile", "\(folder)/allowed_signers"],
    ]
  }
}
