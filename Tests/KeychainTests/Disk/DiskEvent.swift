/// What was asked of a disk, in its order. A file has a number of its own for as long as it exists,
/// whatever it is called.
enum DiskEvent {
  case created(file: Int, name: String)
  case renamed(String, to: String)
  case linked(String, to: String)
  case removed(String)
  case wrote(file: Int, offset: Int, bytes: [UInt8])
  case truncated(file: Int, count: Int)
  /// Nothing that was asked of this file before can be lost any more.
  case synced(file: Int)
  /// Nor any name that was given or taken before.
  case syncedFolder
  /// A request was answered.
  case answered
}
