package import LinuxSystem
import Protocol

/// A driver's process that is ready, and the end of its frame socket that the enclave gets.
package struct StartedDriver: ~Copyable {
  package let host: any PluginProcess
  package var frames: Descriptor

  /// Puts the two together.
  package init(host: any PluginProcess, frames: consuming Descriptor) {
    self.host = host
    self.frames = frames
  }
}
