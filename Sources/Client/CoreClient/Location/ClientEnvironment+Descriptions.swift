import Glibc
import Protocol

extension ClientEnvironment {
  /// Where what drivers say of themselves is remembered: beside the state of a folder that is named,
  /// else in the cache; nil: nowhere.
  package func descriptionsFile(home: String?) -> String? {
    if let home {
      // In a folder that the core refuses nothing is written either.
      let folder = absolute(home)
      guard !home.isEmpty, CoreLocation.isStateFolder(folder) else { return nil }
      return folder + "/" + StateFolder.descriptions
    }
    guard let folder = cacheFolder else { return nil }
    // Each fails where it is there already, or cannot be made: then nothing is remembered.
    if let slash = folder.lastIndex(of: "/") { _ = unsafe mkdir(String(folder[..<slash]), 0o700) }
    _ = unsafe mkdir(folder, 0o700)
    return folder + "/" + StateFolder.descriptions
  }
}
