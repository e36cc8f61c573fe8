import LinuxSystem

/// Where libpam looks for the files that services read.
struct PAMFolders {
  /// Below which they lie; empty for this machine.
  let root: String

  /// The first that has a file of a name is where it is read.
  private static let folders = ["/etc/pam.d/", "/usr/lib/pam.d/"]

  /// The names of all files there; copies that were kept here are none.
  var names: [String] {
    Set(Self.folders.flatMap { FolderNames.sorted(in: root + $0) })
      .filter { !$0.hasSuffix(PAMServiceFile.backupSuffix) }.sorted()
  }

  /// The file of that name, which is its path where it begins with a slash.
  /// - Returns: nil where there is none that can be read.
  func file(_ name: String) -> (path: String, configuration: PAMConfiguration)? {
    let folders = name.hasPrefix("/") ? [""] : Self.folders
    guard name.hasPrefix("/") || !name.contains("/") else { return nil }
    for folder in folders {
      let path = root + folder + name
      if let bytes = PAMServiceFile.bytes(at: path) { return (path, PAMConfiguration(bytes)) }
    }
    return nil
  }

  /// The file that has a line for authcore, of those that this one reads, and those read.
  func placeOfModule(readBy configuration: PAMConfiguration) -> String? {
    var (names, seen) = (configuration.included, Set<String>())
    while let name = names.popLast() {
      guard seen.insert(name).inserted, let (path, included) = file(name) else { continue }
      if included.isEnabled || included.namesModule { return path }
      names += included.included
    }
    return nil
  }
}
