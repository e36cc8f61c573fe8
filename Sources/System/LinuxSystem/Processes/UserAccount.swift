import Glibc

/// What the user database says, wherever it is kept (`getpwuid_r(3)`, `nsswitch.conf(5)`).
package enum UserAccount {
  /// Bytes that an entry may have.
  private static let limit = 1 << 20

  /// The name of the account that has a number; nil where none has. May take as long as a directory on
  /// the network does to answer.
  /// - Throws: where the database does not say; it may have the account or not.
  package static func name(of user: UInt32) throws(SystemCallError) -> String? {
    var size = 1 << 10
    while true {
      var entry = unsafe passwd()
      var found: UnsafeMutablePointer<passwd>?
      var buffer = [CChar](repeating: 0, count: size)
      // Where a source cannot be asked glibc returns whatever errno is, an earlier call's too.
      errno = 0
      let problem = unsafe getpwuid_r(user, &entry, &buffer, size, &found)
      switch problem {
      case 0: return unsafe found.map { entry in unsafe String(cString: entry.pointee.pw_name) }
      case EINTR: continue
      case ERANGE where size < limit: size *= 4
      default: throw SystemCallError("getpwuid_r", number: problem)
      }
    }
  }
}
