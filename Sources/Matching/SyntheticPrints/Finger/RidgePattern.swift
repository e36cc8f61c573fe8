/// The classes of Henry's system that tell how the ridges of a fingertip run.
package enum RidgePattern: Sendable, CaseIterable {
  case arch, tentedArch, leftLoop, rightLoop, whorl, doubleLoop

  /// Draws a pattern as often as it is found on people's fingers: Wilson, Candela and Watson,
  /// "Neural Network Fingerprint Classification" (1994), with the whorls split in two.
  init(from random: inout RandomStream) {
    let draw = random.uniform(in: 0...1)
    self =
      if draw < 0.037 { .arch } else if draw < 0.066 { .tentedArch } else if draw < 0.404 {
        .leftLoop
      } else if draw < 0.721 { .rightLoop } else if draw < 0.93 { .whorl } else { .doubleLoop }
  }
}
