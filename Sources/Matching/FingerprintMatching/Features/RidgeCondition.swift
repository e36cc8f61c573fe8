/// How the ridges of a touch look, whatever finger they are of.
package struct RidgeCondition: Hashable, Sendable {
  /// How much of what is seen is a plane wave of one direction, the mean over the ridges, 0...1.
  package let clarity: Double
  /// How alike in strength the ridge wave is everywhere, 0...1.
  ///
  /// (Σ a)² / (n Σ a²) of the wave's amplitudes a in n cells: 1 where all are equal, p where ridges
  /// are seen in a share p of the cells and broken up or smeared in the others.
  package let evenness: Double
  /// Skewness of the gray levels over the ridges, local shade and contrast taken away.
  ///
  /// Positive where thin dark lines run through white (dry skin), negative where thin white lines
  /// run through black (wet skin), and 0 where ridges and valleys are equally wide. Synthetic
  /// prints have 0.36 - moisture, 0.07 up or down.
  package let skewness: Double
  /// Share of the sensor's window that shows ridges, 0...1.
  package let windowShare: Double
  /// Where the window cuts the print off.
  package let cut: CutSides
}
