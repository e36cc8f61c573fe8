import Glibc
import Protocol
import Testing

@testable import authcore

@Suite("Attributes on the command line")
struct AttributeArgumentsTests {
  @Test(
    "an attribute is a name that there is, with a value that it can hold",
    arguments: [
      "comment", "color=red", "port=http", "port=", "isInvisible=yes", "generic=AQ",
      "generic=AR==", "comment=" + String(repeating: "x", count: 1025),
    ])
  func attributes(argument: String) throws {
    let isTakenAway = argument == "port="
    do throws(Failure) {
      let terms = try AttributeArguments.terms([argument], option: "--attribute")
      #expect(isTakenAway && terms[.port] == .text(""))
    } catch {
      #expect(error.code == .usage && !isTakenAway, "\(error)")
    }
  }

  @Test("each form of attribute is read as what it is")
  func attributeForms() throws {
    let terms = try AttributeArguments.terms(
      ["comment=a=b", "port=993", "isInvisible=true", "generic=AP8=", "account=ann"],
      option: "--attribute")
    #expect(
      terms == [
        .comment: .text("a=b"), .port: .number(993), .isInvisible: .number(1),
        .generic: .data([0, 255]), .account: .text("ann"),
      ])
  }
}
