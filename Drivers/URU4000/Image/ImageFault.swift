/// Why an image transfer is no image.
package enum ImageFault: Error, Equatable {
  /// The scan failed and the device sent nothing, or only part of an image: another touch helps.
  case incomplete(String)
  /// The header contradicts itself or the data: no image of this device looks like that.
  case untrue(String)
}
