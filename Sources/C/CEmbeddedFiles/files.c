/* What `authcore driver new` makes folders from: the headers, the templates, FrameAssembly and SensorKit, as they are in
 * the sources. Written by scripts/make-embedded-files. */
#include "embedded_files.h"

#include <stddef.h>

static const ac_embedded_file_t files[] = {
  {"include/module.modulemap", (const char[]){
#embed "../../../include/module.modulemap" suffix(, 0)
  }},
  {"include/authcore/assemble.h", (const char[]){
#embed "../../../include/authcore/assemble.h" suffix(, 0)
  }},
  {"include/authcore/client.h", (const char[]){
#embed "../../../include/authcore/client.h" suffix(, 0)
  }},
  {"include/authcore/common.h", (const char[]){
#embed "../../../include/authcore/common.h" suffix(, 0)
  }},
  {"include/authcore/engine.h", (const char[]){
#embed "../../../include/authcore/engine.h" suffix(, 0)
  }},
  {"include/authcore/match_on_chip.h", (const char[]){
#embed "../../../include/authcore/match_on_chip.h" suffix(, 0)
  }},
  {"include/authcore/model.h", (const char[]){
#embed "../../../include/authcore/model.h" suffix(, 0)
  }},
  {"include/authcore/sensor.h", (const char[]){
#embed "../../../include/authcore/sensor.h" suffix(, 0)
  }},
  {"include/authcore/usb.h", (const char[]){
#embed "../../../include/authcore/usb.h" suffix(, 0)
  }},
  {"scripts/exports/model.map", (const char[]){
#embed "../../../scripts/exports/model.map" suffix(, 0)
  }},
  {"scripts/exports/sensor.map", (const char[]){
#embed "../../../scripts/exports/sensor.map" suffix(, 0)
  }},
  {"Drivers/Template/Makefile", (const char[]){
#embed "../../../Drivers/Template/Makefile" suffix(, 0)
  }},
  {"Drivers/Template/README.md", (const char[]){
#embed "../../../Drivers/Template/README.md" suffix(, 0)
  }},
  {"Drivers/Template/template-model.c", (const char[]){
#embed "../../../Drivers/Template/template-model.c" suffix(, 0)
  }},
  {"Drivers/Template/template.c", (const char[]){
#embed "../../../Drivers/Template/template.c" suffix(, 0)
  }},
  {"Drivers/TemplateSwift/Makefile", (const char[]){
#embed "../../../Drivers/TemplateSwift/Makefile" suffix(, 0)
  }},
  {"Drivers/TemplateSwift/template-model.swift", (const char[]){
#embed "../../../Drivers/TemplateSwift/template-model.swift" suffix(, 0)
  }},
  {"Drivers/TemplateSwift/template.swift", (const char[]){
#embed "../../../Drivers/TemplateSwift/template.swift" suffix(, 0)
  }},
  {"Sources/Matching/FrameAssembly/AssemblyError.swift", (const char[]){
#embed "../../../Sources/Matching/FrameAssembly/AssemblyError.swift" suffix(, 0)
  }},
  {"Sources/Matching/FrameAssembly/FrameShape.swift", (const char[]){
#embed "../../../Sources/Matching/FrameAssembly/FrameShape.swift" suffix(, 0)
  }},
  {"Sources/Matching/FrameAssembly/LineSeries.swift", (const char[]){
#embed "../../../Sources/Matching/FrameAssembly/LineSeries.swift" suffix(, 0)
  }},
  {"Sources/Matching/FrameAssembly/PixelOperations.swift", (const char[]){
#embed "../../../Sources/Matching/FrameAssembly/PixelOperations.swift" suffix(, 0)
  }},
  {"Sources/Matching/FrameAssembly/StripeMovement.swift", (const char[]){
#embed "../../../Sources/Matching/FrameAssembly/StripeMovement.swift" suffix(, 0)
  }},
  {"Sources/Matching/FrameAssembly/StripeSeries.swift", (const char[]){
#embed "../../../Sources/Matching/FrameAssembly/StripeSeries.swift" suffix(, 0)
  }},
  {"Sources/Matching/FrameAssembly/SwipeReport.swift", (const char[]){
#embed "../../../Sources/Matching/FrameAssembly/SwipeReport.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Driver/ChipSensorDriver.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Driver/ChipSensorDriver.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Driver/ChipTable.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Driver/ChipTable.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Driver/DescriptionTable.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Driver/DescriptionTable.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Driver/Frame.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Driver/Frame.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Driver/SensorDescription.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Driver/SensorDescription.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Driver/SensorDriver.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Driver/SensorDriver.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Driver/SensorOptions.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Driver/SensorOptions.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Driver/SensorTable.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Driver/SensorTable.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Host/DriverServices.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Host/DriverServices.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Host/Exported.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Host/Exported.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Host/Interruption.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Host/Interruption.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Host/ReadableFile.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Host/ReadableFile.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Host/SensorFailure.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Host/SensorFailure.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Model/DeviceModel.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Model/DeviceModel.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Model/HostedDevice.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Model/HostedDevice.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Model/ModelTable.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Model/ModelTable.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Transport/FaultPlan.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Transport/FaultPlan.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Transport/HotplugTable.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Transport/HotplugTable.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Transport/OpenTransport.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Transport/OpenTransport.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Transport/TransportTable.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Transport/TransportTable.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Transport/USBTransport.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Transport/USBTransport.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/Transport/USBWatch.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/Transport/USBWatch.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/USB/PendingRead.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/USB/PendingRead.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/USB/USBDevice.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/USB/USBDevice.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/USB/USBDeviceInfo.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/USB/USBDeviceInfo.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/USB/USBExchange.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/USB/USBExchange.swift" suffix(, 0)
  }},
  {"Sources/Kits/SensorKit/USB/USBTransfer.swift", (const char[]){
#embed "../../../Sources/Kits/SensorKit/USB/USBTransfer.swift" suffix(, 0)
  }},
};

const ac_embedded_file_t *ac_embedded_file(unsigned long number) {
  return number < sizeof files / sizeof *files ? &files[number] : NULL;
}
