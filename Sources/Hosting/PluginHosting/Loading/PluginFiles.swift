import CSystemCalls
import Glibc
package import LinuxSystem
package import Protocol

/// The files that the loader reads for plugins: their own, and the libraries they need from outside
/// the system's folders. A host may read these while it loads, and nothing else beside them.
package struct PluginFiles: Sendable {
  /// The canonical paths.
  package private(set) var paths: [String] = []
  /// The names of all libraries that the loader looks for.
  package private(set) var libraryNames: Set<String> = []

  /// An object whose libraries have to be found, and the folders that it inherits (`DT_RPATH`).
  private struct Object {
    let path: String
    let inheritedFolders: [String]
  }

  /// Finds the files before the sandbox closes.
  /// - Parameters:
  ///   - plugins: what will be loaded.
  ///   - code: of the failure.
  /// - Throws: `code` for an object that needs writable and executable memory; `untrustedPlugin`
  ///   for a library that others can change.
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

  private static let most = 1000

  /// Where the loader finds `name`; nil if in the system's folders, or nowhere.
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

  /// The names of mapped objects, which the loader does not look for.
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

/// What the loader will do with a shared object (ELF-64 little endian, elf(5)), read before the
/// loader runs its code.
///
/// Any file gives a value. What cannot be read is left out, and the loader then reports what is
/// wrong with the file.
struct SharedObjectFile: Equatable, Sendable {
  /// The libraries it needs (`DT_NEEDED`), in order.
  private(set) var neededLibraries: [String] = []
  /// Where its libraries, and those of its libraries, are looked for (`DT_RPATH`).
  private(set) var inheritedFolders: [String] = []
  /// Where only its own are looked for (`DT_RUNPATH`). If not empty, `DT_RPATH` does not count.
  private(set) var folders: [String] = []
  /// Why it needs writable and executable memory, and how its author can change that; nil if it
  /// does not.
  private(set) var writableCode: (reason: String, remedy: String)?

  /// Reads a file.
  init(_ path: String) {
    let number = unsafe ac_open_at(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0)
    guard number >= 0 else { return }
    let file = Descriptor(owning: number)
    guard let header = Self.read(file, at: 0, count: 64),
      header.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]), Self.number(header, 0x36, 2) == 56,
      let table = Self.read(
        file, at: Self.number(header, 0x20, 8), count: 56 * Int(Self.number(header, 0x38, 2)))
    else { return }
    let segments = stride(from: 0, to: table.count, by: 56).map { Segment(table[$0...]) }
    // An object without the mark gets an executable stack (glibc's elf/dl-load.c).
    let stack = segments.first { $0.type == Segment.stack }?.flags ?? Segment.isExecuted
    if stack & Segment.isExecuted != 0 {
      writableCode = ("wants an executable stack", "link it with -z noexecstack")
    }
    if segments.contains(where: { $0.type == Segment.loaded && $0.flags & 3 == 3 }) {
      writableCode = ("has a segment that is both written and executed", "link it without -N")
    }
    guard let dynamic = segments.first(where: { $0.type == Segment.dynamic }),
      let entries = Self.read(
        file, at: dynamic.offset, count: Int(min(dynamic.size, Self.longestTable)))
    else { return }
    readDynamic(entries, segments, file)
  }

  static func == (left: SharedObjectFile, right: SharedObjectFile) -> Bool {
    left.neededLibraries == right.neededLibraries && left.folders == right.folders
      && left.inheritedFolders == right.inheritedFolders
      && left.writableCode?.reason == right.writableCode?.reason
  }

  private static let longestTable: UInt64 = 1 << 16
  private static let longestText = 4096

  /// Elf64_Phdr
  private struct Segment {
    static let (loaded, dynamic, stack): (UInt64, UInt64, UInt64) = (1, 2, 0x6474_E551)
    static let isExecuted: UInt64 = 1

    let type, flags, offset, address, size: UInt64

    init(_ bytes: ArraySlice<UInt8>) {
      let bytes = Array(bytes.prefix(56))
      type = SharedObjectFile.number(bytes, 0, 4)
      flags = SharedObjectFile.number(bytes, 4, 4)
      offset = SharedObjectFile.number(bytes, 8, 8)
      address = SharedObjectFile.number(bytes, 16, 8)
      size = SharedObjectFile.number(bytes, 32, 8)
    }
  }

  /// Elf64_Dyn: the tags DT_NEEDED 1, DT_STRTAB 5, DT_RPATH 15, DT_TEXTREL 22, DT_RUNPATH 29,
  /// DT_FLAGS 30 (DF_TEXTREL 4).
  private mutating func readDynamic(
    _ bytes: [UInt8], _ segments: [Segment], _ file: borrowing Descriptor
  ) {
    var entries: [(tag: UInt64, value: UInt64)] = []
    for start in stride(from: 0, to: bytes.count - 15, by: 16) {
      let tag = Self.number(bytes, start, 8)
      guard tag != 0 else { break }
      entries.append((tag, Self.number(bytes, start + 8, 8)))
    }
    if entries.contains(where: { $0.tag == 22 || ($0.tag == 30 && $0.value & 4 != 0) }) {
      writableCode = ("changes its own code while it is loaded", "compile it with -fPIC")
    }
    guard let strings = entries.first(where: { $0.tag == 5 })?.value,
      let segment = segments.first(where: {
        $0.type == Segment.loaded && $0.address <= strings && strings - $0.address < $0.size
      })
    else { return }
    let base = segment.offset &+ (strings - segment.address)
    for (tag, value) in entries where [1, 15, 29].contains(tag) {
      guard let text = Self.text(file, at: base &+ value) else { continue }
      let parts = text.split(separator: ":").map { String($0) }
      switch tag {
      case 1: neededLibraries.append(text)
      case 15: inheritedFolders += parts
      default: folders += parts
      }
    }
  }

  private static func text(_ file: borrowing Descriptor, at offset: UInt64) -> String? {
    var bytes = [UInt8](repeating: 0, count: longestText)
    guard let place = Int(exactly: offset) else { return nil }
    let count = unsafe pread(file.number, &bytes, bytes.count, place)
    guard count > 0, let end = bytes[..<count].firstIndex(of: 0), end > 0 else { return nil }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  private static func read(
    _ file: borrowing Descriptor, at offset: UInt64, count: Int
  ) -> [UInt8]? {
    guard let place = Int(exactly: offset) else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    guard unsafe pread(file.number, &bytes, count, place) == count else { return nil }
    return bytes
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> UInt64 {
    (0..<size).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }
}
