import GRDB
import Synchronization

/// Databases that are closed and whose queues are kept, so that an idle process sleeps.
///
/// GRDB gives its dispatch queue a value. When the queue ends, libdispatch destroys the value on a
/// thread of its own, and from its first thread on it wakes up once a second for as long as the
/// process lives (libdispatch, workqueue.c, `_dispatch_workq_monitor_pools`). A service would do so
/// from the moment when it opens the first keychain that is there.
enum ClosedDatabases {
  /// Queues that are kept, of a few KiB each; those beyond that end.
  private static let most = 256
  private static let queues = Mutex<[DatabaseQueue]>([])

  static func close(_ queue: DatabaseQueue) {
    guard (try? queue.close()) != nil else { return }
    queues.withLock { if $0.count < most { $0.append(queue) } }
  }
}
