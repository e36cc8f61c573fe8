import Glibc

/// A plugin in this process. Never unloaded.
@safe struct Plugin {
  private let handle: UnsafeMutableRawPointer
  private let path: String

  /// Maps a file and so runs its constructors.
  init(_ path: String) throws(CheckEnd) {
    guard let handle = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
      let reason = unsafe dlerror().map { unsafe String(cString: $0) } ?? "no reason given"
      throw .failed(
        "cannot be loaded: \(reason)",
        advice: "build it as a shared object (-shared -fPIC) for this machine")
    }
    unsafe self.handle = handle
    self.path = path
  }

  /// Whether a symbol is defined by the plugin or a library it needs itself.
  func finds(_ symbol: String) -> Bool { unsafe dlsym(handle, symbol) != nil }

  /// `Function` must be exactly the C type that include/authcore declares for the symbol.
  @unsafe func function<Function>(
    _ symbol: String, as type: Function.Type
  ) throws(CheckEnd) -> Function {
    guard let address = unsafe dlsym(handle, symbol) else {
      throw .failed("\(path) does not export \(symbol)")
    }
    return unsafe unsafeBitCast(address, to: type)
  }
}
