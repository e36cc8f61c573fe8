import CSystemCalls
import Glibc
package import LinuxSystem
package import Protocol

/// The files that the loader reads for plugins: their own, and the libraries they name that lie
/// outside the system's folders. A host may read these while it loads, and nothing else that lies
/// beside them.
package struct PluginFiles: Sendable {
  /// The canonical paths.
  package private(set) var paths: [String] = []
  /// The names that the loader looks for, wherever it finds them.
  package private(set) var libraryNames: Set<String> = []

  /// An object whose libraries have to be found, and the folders that whoever asked for it hands
  /// down (`DT_RPATH`).
  private struct Object {
    let path: String
    let inheritedFolders: [String]
  }

  /// Finds the files before the sandbox closes.
  /// - Parameters:
  ///   - plugins: what will be loaded.
  ///   - code: of the failure.
  /// - Throws: `code` for an object that wants memory that is written and executed;
  ///   `untrustedPlugin` for a library that others can change.
  package init(_ plugins: [TrustedFile], code: FailureCode) throws(Failure) {
    let mapped = Self.mappedNames()
    let ofProgram = SharedObjectFile("/proc/self/exe").inheritedFolders
    var waiting = plugins.map { Object(path: $0.path, inheritedFolders: ofProgram) }
    while let object = waiting.popLast(), paths.count < Self.most {
      guard !paths.contains(object.path) else { continue }
      paths.append(object.path)
      let file = SharedObjectFile(object.path)
      if let (reason, remedy) = file.writableCode {
        throw Failure(
          code, "Cannot load \(object.path): it \(reason), which the sandbox refuses", hint: remedy)
      }
      let inherited = file.folders.isEmpty ? file.inheritedFolders + object.inheritedFolders : []
      for name in file.neededLibraries where !mapped.contains(name) {
        libraryNames.insert(name)
        guard let found = Self.find(name, for: object.path, in: file.folders + inherited) else {
          continue
        }
        waiting.append(
          Object(path: try TrustedFile(checking: found).path, inheritedFolders: inherited))
      }
    }
  }

  /// Most files; a plugin that needs more is not served.
  private static let most = 1000

  /// Where the loader finds `name`; nil: in the system's folders, or nowhere.
  private static func find(_ name: String, for object: String, in folders: [String]) -> String? {
    let origin = String(object[..<(object.lastIndex(of: "/") ?? object.startIndex)])
    func expanded(_ text: String) -> String {
      text.replacing("${ORIGIN}", with: origin).replacing("$ORIGIN", with: origin)
    }
    let candidates =
      name.contains("/") ? [expanded(name)] : folders.map { expanded($0) + "/" + name }
    return candidates.first { path in
      var status = stat()
      return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
  }

  /// The names of what is mapped already; the loader does not look for these.
  private static func mappedNames() -> Set<String> {
    final class Names { var set: Set<String> = [] }
    let names = Names()
    unsafe ac_each_mapped_object(
      { context, path in
        guard let context = unsafe context, let path = unsafe path else { return }
        // The context is `names` below, which lives until the call returns.
        let names = unsafe Unmanaged<Names>.fromOpaque(context).takeUnretainedValue()
        let text = unsafe String(cString: path)
        names.set.insert(text)
        if let slash = text.lastIndex(of: "/") {
          names.set.insert(String(text[slash...].dropFirst()))
        }
      }, Unmanaged.passUnretained(names).toOpaque())
    return names.set
  }
}
