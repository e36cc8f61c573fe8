/// What the cells of a touch say for and against its ridges being those of a finger.
///
/// Strangers' parallel ridges lie on each other well enough once they may shift, turn and stretch,
/// so that the mean agreement tells little. Three things tell more: cells whose ridges are the same
/// to a tenth of a period, cells that are as clear but lie beside each other, and what becomes of
/// cells in which ridges bend, since no shift brings a stranger's bend onto another.
///
/// All weights, those of pairs of minutiae and of likeness (``ScoreScale``) too, are those of a
/// logistic regression on the best places of FVC2002 DB1_B to DB4_B, patches of 88 pixels against
/// fingers of fifteen, in the order in which the features lowered its loss on the set left out.
/// At a false match rate of 1 and 0.1 % the sum of agreement above chance and of pairs by their
/// quality, which it replaces, missed 33 and 50 % there and 38 and 56 % of FVC2000 DB1_B and DB2_B
/// and FVC2004 DB1_B and DB2_B, on which nothing was fitted; this missed 26 and 37 %, 31 and 38 %.
/// Clarity, period, direction and bending of the skin, minutiae without a partner and boosted trees
/// over all of these gave no more.
struct RidgeTestimony: Sendable {
  /// Agreement above which a cell counts as the same, and its worth for each 1 above.
  private static let same: (above: Float, worth: Float) = (0.9, 1.6)
  /// How much more alike than they agree the ridges of a cell are before that counts against, and
  /// how much for each 1 above.
  private static let beside: (above: Float, worth: Float) = (0.3, 0.17)
  /// What agreement and lying beside count where ridges bend.
  private static let bent: (agreement: Float, beside: Float) = (0.33, 0.8)

  private(set) var value: Float = 0

  /// Takes a cell into account.
  ///
  /// - Parameters:
  ///   - agreement: See ``RidgeAgreement/agreement(in:)``.
  ///   - beside: By how much less that is than if the ridges were shifted by the cell's own offset.
  ///   - bend: See ``PhaseField/bends``.
  ///   - share: How much of the cell both show, 0...1.
  mutating func add(agreement: Float, beside: Float, bend: Float, share: Float) {
    let same = Self.same.worth * max(agreement - Self.same.above, 0)
    let apart = Self.beside.worth * max(beside - Self.beside.above, 0)
    let bent = bend * (Self.bent.agreement * agreement - Self.bent.beside * beside)
    value += share * (same - apart + bent)
  }
}
