extension CoreStatus {
  /// What ``device`` says where frames that repeat count as touches.
  package static let repeatingDevice = "tape, whose frames may repeat"
}
