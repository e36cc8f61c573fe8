package import Foundation
import Testing

extension TestHome {
  /// Starts a core in the foreground that locks after so many seconds, and waits until it serves.
  package func serve(lockAfter seconds: Int) throws -> Process {
    let server = Process()
    server.executableURL = URL(fileURLWithPath: Products.program("authcore"))
    server.arguments = ["--home", home, "serve", "--lock-after", "\(seconds)"]
    let log = Pipe()
    server.standardError = log
    try server.run()
    // The core says on standard error that it serves.
    var said = Data()
    while !String(decoding: said, as: UTF8.self).contains("serves") {
      let more = log.fileHandleForReading.availableData
      try #require(!more.isEmpty, "the core ended: \(String(decoding: said, as: UTF8.self))")
      said += more
    }
    return server
  }
}
