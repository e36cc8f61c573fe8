import Foundation

/// What a disk holds for certain, and what it was asked for since.
///
/// A machine that loses power keeps what was synced. Of what was written since, any sector may have
/// arrived and any other not, in whatever order it was asked for; names change in the order in which
/// they were changed, as on every file system with a journal.
struct DiskImage {
  /// How much of what was not synced arrives.
  enum Luck: CaseIterable {
    case nothing
    /// As when a process is killed and the machine stays.
    case everything
    case some
  }

  private static let sector = 512
  private var files: [Int: [UInt8]] = [:]
  private var names: [String: Int] = [:]
  private var pendingFiles: [Int: [DiskEvent]] = [:]
  private var pendingNames: [DiskEvent] = []

  mutating func take(_ event: DiskEvent) {
    switch event {
    case .created(let file, _):
      files[file] = []
      pendingNames.append(event)
    case .renamed, .linked, .removed: pendingNames.append(event)
    case .wrote(let file, _, _), .truncated(let file, _):
      pendingFiles[file, default: []].append(event)
    case .synced(let file):
      for change in pendingFiles.removeValue(forKey: file) ?? [] { apply(change) }
    case .syncedFolder:
      for change in pendingNames { apply(change) }
      pendingNames = []
    case .answered: break
    }
  }

  /// What is there when the power comes back.
  func afterLoss(_ luck: Luck, using generator: inout some RandomNumberGenerator) -> DiskImage {
    var image = self
    let odds = [0.1, 0.5, 0.9].randomElement(using: &generator) ?? 0.5
    func arrives() -> Bool {
      switch luck {
      case .nothing: false
      case .everything: true
      case .some: Double.random(in: 0..<1, using: &generator) < odds
      }
    }
    for file in pendingFiles.keys.sorted() {
      for change in pendingFiles[file, default: []].flatMap(Self.sectors) where arrives() {
        image.apply(change)
      }
    }
    for change in pendingNames {
      guard arrives() else { break }
      image.apply(change)
    }
    return image
  }

  /// Puts what is certain into a folder. A file with two names is one file there.
  func write(to folder: TestFolder) throws {
    var written: [Int: String] = [:]
    for (name, file) in names {
      let path = folder.path + "/" + name
      if let first = written[file] {
        try FileManager.default.linkItem(atPath: first, toPath: path)
      } else {
        try KeychainTests.write(Data(files[file, default: []]), to: path)
        written[file] = path
      }
    }
  }

  /// A write in parts of which each arrives as a whole or not.
  private static func sectors(of event: DiskEvent) -> [DiskEvent] {
    guard case .wrote(let file, let offset, let bytes) = event else { return [event] }
    var parts: [DiskEvent] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + sector - (offset + start) % sector)
      parts.append(.wrote(file: file, offset: offset + start, bytes: Array(bytes[start..<end])))
      start = end
    }
    return parts
  }

  private mutating func apply(_ change: DiskEvent) {
    switch change {
    case .created(let file, let name): names[name] = file
    case .renamed(let name, let target): names[target] = names.removeValue(forKey: name)
    case .linked(let name, let target): names[target] = names[name]
    case .removed(let name): names[name] = nil
    case .wrote(let file, let offset, let bytes):
      lengthen(file, to: offset + bytes.count)
      files[file]?.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    case .truncated(let file, let count):
      lengthen(file, to: count)
      files[file]?.removeSubrange(count...)
    case .synced, .syncedFolder, .answered: break
    }
  }

  private mutating func lengthen(_ file: Int, to count: Int) {
    let missing = count - (files[file]?.count ?? 0)
    if missing > 0 { files[file, default: []] += [UInt8](repeating: 0, count: missing) }
  }
}
