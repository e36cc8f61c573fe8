import LinuxSystem

/// How prompts call an application that does not say itself what it is called.
enum ApplicationName {
  /// The name of the running file.
  static var ofThisProcess: String {
    guard let path = RunningExecutable.ofThisProcess()?.path,
      let slash = path.lastIndex(of: UInt8(ascii: "/"))
    else { return "an application" }
    return String(decoding: path[(slash + 1)...], as: UTF8.self)
  }
}
