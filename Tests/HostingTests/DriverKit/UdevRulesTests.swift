import DriverKit
import PluginHosting
import Protocol
import Testing

@Suite("udev rules")
struct UdevRulesTests {
  private func template() throws -> DriverDescription {
    try DriverCatalog(.current(isService: false)).describe(
      Sources.products + "/libauthcore-driver-template.so"
    ).description
  }

  @Test("the template's device gets one rule, between the guards")
  func oneDevice() throws {
    let rules = try UdevRules([template()])
    let matching = rules.lines.filter { $0.contains("idVendor") }
    #expect(
      matching == [
        "ATTR{idVendor}==\"1209\", ATTR{idProduct}==\"0001\", TAG+=\"uaccess\", "
          + "GROUP=\"plugdev\", MODE=\"0660\", ATTR{power/control}=\"auto\""
      ])
    #expect(rules.lines.contains("# template: Template press sensor (imaginary)"))
    #expect(rules.lines.last == "LABEL=\"authcore_end\"")
  }

  @Test("a device that two drivers handle has one rule, the first one's")
  func twoDrivers() throws {
    let description = try template()
    let rules = UdevRules([description, description])
    #expect(rules.groups.count == 1)
    #expect(rules.groups[0].devices == [.init(vendor: 0x1209, product: 0x0001)])
  }

  @Test("without drivers there is a file that does nothing")
  func none() {
    #expect(UdevRules([]).lines.allSatisfy { !$0.contains("idVendor") })
  }
}
