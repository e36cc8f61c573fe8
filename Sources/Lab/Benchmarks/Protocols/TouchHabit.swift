import ArgumentParser
import SyntheticPrints

/// How the fingers of a synthetic set are put on its sensor.
enum TouchHabit: String, CaseIterable, ExpressibleByArgument, Sendable {
  case careful, everyday, poor, pressed, dragged, twisted, wet, dry
  /// As the volunteers of FVC2004 were asked to: impressions 1 and 2 as they like, 3 dragged, 4
  /// turned, 5 and 6 dry, 7 and 8 pressed and wet, and so on.
  case volunteers

  /// The conditions of an impression, counted from 1.
  func conditions(of impression: Int) -> ImpressionConditions {
    switch self {
    case .careful: .careful
    case .everyday: .everyday
    case .poor: .poor
    case .pressed: .pressed
    case .dragged: .dragged
    case .twisted: .twisted
    case .wet: .wet
    case .dry: .dry
    case .volunteers: Self.asked[(impression - 1) % Self.asked.count]
    }
  }

  private static let asked: [ImpressionConditions] = [
    .everyday, .everyday, .dragged, .twisted, .dry, .dry, .pressed, .wet,
  ]
}
