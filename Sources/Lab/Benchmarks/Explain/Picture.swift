/// A picture of an explanation and the file it goes to.
struct Picture {
  /// Without extension; files sort in the order of the steps.
  let name: String
  /// What is to be seen, one line.
  let caption: String
  let drawing: Drawing
}
