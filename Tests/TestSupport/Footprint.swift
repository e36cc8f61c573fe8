import Foundation

/// What the processes of a core and its state folder take, to be compared before and after a long
/// run.
package struct Footprint {
  /// Of the processes that do the same.
  private struct Share {
    var processes = 0
    /// Where this process may not look into that one: how many the kernel has room for.
    var descriptors = 0
    var threads = 0
    var lockedKiB = 0
    var residentKiB = 0
  }

  private let shares: [String: Share]
  /// Of the folder.
  private let files: Int
  private let bytes: Int

  /// Looks at the processes of a state folder and at the folder.
  package init(of processes: [Int32], folder: String) {
    var shares: [String: Share] = [:]
    for process in processes {
      guard let duty = Self.duty(of: process) else { continue }
      let status = Self.status(of: process)
      var share = shares[duty, default: Share()]
      share.processes += 1
      let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
      share.descriptors += open ?? status["FDSize"] ?? 0
      share.threads += status["Threads"] ?? 0
      share.lockedKiB += status["VmLck"] ?? 0
      share.residentKiB += status["RssAnon"] ?? 0
      shares[duty] = share
    }
    self.shares = shares
    let names = FileManager.default.subpaths(atPath: folder) ?? []
    files = names.count
    bytes = names.reduce(0) { sum, name in
      let facts = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      return sum + ((facts?[.size] as? Int) ?? 0)
    }
  }

  /// The program, and the option that names its task.
  private static func duty(of process: Int32) -> String? {
    guard let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else {
      return nil
    }
    let words = line.split(separator: 0).prefix(3).map { String(decoding: $0, as: UTF8.self) }
    return words.map { String($0.split(separator: "/").last ?? "") }.joined(separator: " ")
  }

  private static func status(of process: Int32) -> [String: Int] {
    let file = FileManager.default.contents(atPath: "/proc/\(process)/status") ?? Data()
    let lines = String(decoding: file, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: ":")
    }
    return Dictionary(
      lines.compactMap { parts in
        guard parts.count == 2, let value = Int(parts[1].filter(\.isNumber)) else { return nil }
        return (String(parts[0]), value)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// What there is more of than before. Descriptors, threads, processes, files and locked memory
  /// must be none; other memory and the bytes of files may grow by what is given.
  package func growth(since before: Footprint, memoryKiB: Int, fileKiB: Int) -> [String] {
    var found: [String] = []
    func compare(_ name: String, _ before: Int, _ now: Int, _ allowed: Int = 0) {
      if now > before + allowed { found.append("\(name): \(before), then \(now)") }
    }
    for (duty, share) in shares {
      let old = before.shares[duty] ?? Share()
      compare("\(duty): processes", old.processes, share.processes)
      compare("\(duty): descriptors", old.descriptors, share.descriptors)
      compare("\(duty): threads", old.threads, share.threads)
      compare("\(duty): KiB of locked memory", old.lockedKiB, share.lockedKiB)
      compare("\(duty): KiB of memory", old.residentKiB, share.residentKiB, memoryKiB)
    }
    compare("files", before.files, files)
    compare("bytes of files", before.bytes, bytes, fileKiB << 10)
    return found.sorted()
  }

  /// A line for each kind of process, and one for the folder.
  package var account: String {
    let lines = shares.sorted { $0.key < $1.key }.map { duty, share in
      "\(duty) ×\(share.processes): \(share.descriptors) descriptors, \(share.threads) threads, "
        + "\(share.lockedKiB) KiB locked, \(share.residentKiB) KiB of its own"
    }
    return (lines + ["folder: \(files) files, \(bytes) bytes"]).joined(separator: "\n")
  }
}
