import Glibc

/// A plugin of this build, loaded as a host would: `dlopen(3)`, then its one symbol.
///
/// Never closed: Swift images must stay mapped.
@safe struct BuiltPlugin {
  struct LoadError: Error, CustomStringConvertible {
    let description: String
  }

  private let handle: UnsafeMutableRawPointer

  /// Loads `lib<name>.so` from the folder of the running test program, where the package manager
  /// puts every product.
  init(_ name: String) throws {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    guard count > 0 else { throw LoadError(description: "/proc/self/exe cannot be read") }
    let program = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = program.split(separator: "/").dropLast().joined(separator: "/")
    try self.init(path: "/\(folder)/lib\(name).so")
  }

  init(path: String) throws {
    guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      throw LoadError(description: unsafe String(cString: dlerror()))
    }
    unsafe self.handle = handle
  }

  /// `F` must be exactly the C type declared for `symbol` in include/authcore.
  @unsafe func function<F>(_ symbol: String, as _: F.Type) throws -> F {
    guard let address = unsafe dlsym(handle, symbol) else {
      throw LoadError(description: "no symbol \(symbol)")
    }
    return unsafe unsafeBitCast(address, to: F.self)
  }
}
