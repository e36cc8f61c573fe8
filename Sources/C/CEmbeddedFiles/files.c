/* What `authcore driver new` makes folders from: the headers, the templates, FrameAssembly and SensorKit, as they are in
 * the sources. Written by scripts/make-embedded-files. */
#include "embedded_files.h"

#include <stddef.h>

#define TEXT(number) static const char text_##number[] = {
#define END , 0 };
TEXT(0)
#embed "../../../include/module.modulemap"
END
TEXT(1)
#embed "../../../include/authcore/assemble.h"
END
TEXT(2)
#embed "../../../include/authcore/client.h"
END
TEXT(3)
#embed "../../../include/authcore/common.h"
END
TEXT(4)
#embed "../../../include/authcore/engine.h"
END
TEXT(5)
#embed "../../../include/authcore/model.h"
END
TEXT(6)
#embed "../../../include/authcore/sensor.h"
END
TEXT(7)
#embed "../../../include/authcore/usb.h"
END
TEXT(8)
#embed "../../../scripts/exports/model.map"
END
TEXT(9)
#embed "../../../scripts/exports/sensor.map"
END
TEXT(10)
#embed "../../../Drivers/Template/Makefile"
END
TEXT(11)
#embed "../../../Drivers/Template/README.md"
END
TEXT(12)
#embed "../../../Drivers/Template/template-model.c"
END
TEXT(13)
#embed "../../../Drivers/Template/template.c"
END
TEXT(14)
#embed "../../../Drivers/TemplateSwift/Makefile"
END
TEXT(15)
#embed "../../../Drivers/TemplateSwift/README.md"
END
TEXT(16)
#embed "../../../Drivers/TemplateSwift/template-model.swift"
END
TEXT(17)
#embed "../../../Drivers/TemplateSwift/template.swift"
END
TEXT(18)
#embed "../../../Drivers/TemplateSwipe/README.md"
END
TEXT(19)
#embed "../../../Drivers/TemplateSwipe/template-model.c"
END
TEXT(20)
#embed "../../../Drivers/TemplateSwipe/template.c"
END
TEXT(21)
#embed "../../../Drivers/TemplateSwipeSwift/README.md"
END
TEXT(22)
#embed "../../../Drivers/TemplateSwipeSwift/template-model.swift"
END
TEXT(23)
#embed "../../../Drivers/TemplateSwipeSwift/template.swift"
END
TEXT(24)
#embed "../../../Sources/Matching/FrameAssembly/AssemblyError.swift"
END
TEXT(25)
#embed "../../../Sources/Matching/FrameAssembly/AssemblyLimits.swift"
END
TEXT(26)
#embed "../../../Sources/Matching/FrameAssembly/Frames/FrameLayout.swift"
END
TEXT(27)
#embed "../../../Sources/Matching/FrameAssembly/Frames/FrameShape.swift"
END
TEXT(28)
#embed "../../../Sources/Matching/FrameAssembly/Lines/LineGeometry.swift"
END
TEXT(29)
#embed "../../../Sources/Matching/FrameAssembly/Lines/LineOffsets.swift"
END
TEXT(30)
#embed "../../../Sources/Matching/FrameAssembly/Lines/LineSeries.swift"
END
TEXT(31)
#embed "../../../Sources/Matching/FrameAssembly/Pixels/BackgroundSubtraction.swift"
END
TEXT(32)
#embed "../../../Sources/Matching/FrameAssembly/Pixels/BoxResizing.swift"
END
TEXT(33)
#embed "../../../Sources/Matching/FrameAssembly/Pixels/Enlarging.swift"
END
TEXT(34)
#embed "../../../Sources/Matching/FrameAssembly/Pixels/GrayStretch.swift"
END
TEXT(35)
#embed "../../../Sources/Matching/FrameAssembly/Pixels/PixelMeasures.swift"
END
TEXT(36)
#embed "../../../Sources/Matching/FrameAssembly/Stripes/StripeMovement+Report.swift"
END
TEXT(37)
#embed "../../../Sources/Matching/FrameAssembly/Stripes/StripeMovement+Steadied.swift"
END
TEXT(38)
#embed "../../../Sources/Matching/FrameAssembly/Stripes/StripeMovement.swift"
END
TEXT(39)
#embed "../../../Sources/Matching/FrameAssembly/Stripes/StripeSeries+Assembly.swift"
END
TEXT(40)
#embed "../../../Sources/Matching/FrameAssembly/Stripes/StripeSeries+Difference.swift"
END
TEXT(41)
#embed "../../../Sources/Matching/FrameAssembly/Stripes/StripeSeries.swift"
END
TEXT(42)
#embed "../../../Sources/Matching/FrameAssembly/SwipeReport.swift"
END
TEXT(43)
#embed "../../../Sources/Kits/SensorKit/Driver/Frame.swift"
END
TEXT(44)
#embed "../../../Sources/Kits/SensorKit/Driver/RetryReason.swift"
END
TEXT(45)
#embed "../../../Sources/Kits/SensorKit/Driver/SensorBox.swift"
END
TEXT(46)
#embed "../../../Sources/Kits/SensorKit/Driver/SensorContext.swift"
END
TEXT(47)
#embed "../../../Sources/Kits/SensorKit/Driver/SensorDescription.swift"
END
TEXT(48)
#embed "../../../Sources/Kits/SensorKit/Driver/SensorDriver.swift"
END
TEXT(49)
#embed "../../../Sources/Kits/SensorKit/Driver/SensorOptions.swift"
END
TEXT(50)
#embed "../../../Sources/Kits/SensorKit/Driver/SensorTable+Description.swift"
END
TEXT(51)
#embed "../../../Sources/Kits/SensorKit/Driver/SensorTable.swift"
END
TEXT(52)
#embed "../../../Sources/Kits/SensorKit/Driver/export.swift"
END
TEXT(53)
#embed "../../../Sources/Kits/SensorKit/Host/DriverServices.swift"
END
TEXT(54)
#embed "../../../Sources/Kits/SensorKit/Host/HostClock.swift"
END
TEXT(55)
#embed "../../../Sources/Kits/SensorKit/Host/Interruption.swift"
END
TEXT(56)
#embed "../../../Sources/Kits/SensorKit/Host/RandomSource.swift"
END
TEXT(57)
#embed "../../../Sources/Kits/SensorKit/Host/ReadableFile.swift"
END
TEXT(58)
#embed "../../../Sources/Kits/SensorKit/Host/SensorFailure.swift"
END
TEXT(59)
#embed "../../../Sources/Kits/SensorKit/Host/immortal.swift"
END
TEXT(60)
#embed "../../../Sources/Kits/SensorKit/Model/DeviceModel.swift"
END
TEXT(61)
#embed "../../../Sources/Kits/SensorKit/Model/HostedDevice.swift"
END
TEXT(62)
#embed "../../../Sources/Kits/SensorKit/Model/ModelSettings.swift"
END
TEXT(63)
#embed "../../../Sources/Kits/SensorKit/Model/ModelTable.swift"
END
TEXT(64)
#embed "../../../Sources/Kits/SensorKit/Model/export+Model.swift"
END
TEXT(65)
#embed "../../../Sources/Kits/SensorKit/Transport/HotplugTable.swift"
END
TEXT(66)
#embed "../../../Sources/Kits/SensorKit/Transport/OpenTransport.swift"
END
TEXT(67)
#embed "../../../Sources/Kits/SensorKit/Transport/TransportSource.swift"
END
TEXT(68)
#embed "../../../Sources/Kits/SensorKit/Transport/TransportTable+Service.swift"
END
TEXT(69)
#embed "../../../Sources/Kits/SensorKit/Transport/TransportTable+Transfers.swift"
END
TEXT(70)
#embed "../../../Sources/Kits/SensorKit/Transport/TransportTable.swift"
END
TEXT(71)
#embed "../../../Sources/Kits/SensorKit/Transport/USBTransfer.swift"
END
TEXT(72)
#embed "../../../Sources/Kits/SensorKit/Transport/USBTransport.swift"
END
TEXT(73)
#embed "../../../Sources/Kits/SensorKit/Transport/USBWatch.swift"
END
TEXT(74)
#embed "../../../Sources/Kits/SensorKit/Transport/export+Transport.swift"
END
TEXT(75)
#embed "../../../Sources/Kits/SensorKit/USB/PendingRead.swift"
END
TEXT(76)
#embed "../../../Sources/Kits/SensorKit/USB/USBControlRequest.swift"
END
TEXT(77)
#embed "../../../Sources/Kits/SensorKit/USB/USBDevice+Calls.swift"
END
TEXT(78)
#embed "../../../Sources/Kits/SensorKit/USB/USBDevice.swift"
END
TEXT(79)
#embed "../../../Sources/Kits/SensorKit/USB/USBDeviceInfo+C.swift"
END
TEXT(80)
#embed "../../../Sources/Kits/SensorKit/USB/USBDeviceInfo.swift"
END
TEXT(81)
#embed "../../../Sources/Kits/SensorKit/USB/USBEndpoint.swift"
END

static const ac_embedded_file_t files[] = {
  {"include/module.modulemap", text_0},
  {"include/authcore/assemble.h", text_1},
  {"include/authcore/client.h", text_2},
  {"include/authcore/common.h", text_3},
  {"include/authcore/engine.h", text_4},
  {"include/authcore/model.h", text_5},
  {"include/authcore/sensor.h", text_6},
  {"include/authcore/usb.h", text_7},
  {"scripts/exports/model.map", text_8},
  {"scripts/exports/sensor.map", text_9},
  {"Drivers/Template/Makefile", text_10},
  {"Drivers/Template/README.md", text_11},
  {"Drivers/Template/template-model.c", text_12},
  {"Drivers/Template/template.c", text_13},
  {"Drivers/TemplateSwift/Makefile", text_14},
  {"Drivers/TemplateSwift/README.md", text_15},
  {"Drivers/TemplateSwift/template-model.swift", text_16},
  {"Drivers/TemplateSwift/template.swift", text_17},
  {"Drivers/TemplateSwipe/README.md", text_18},
  {"Drivers/TemplateSwipe/template-model.c", text_19},
  {"Drivers/TemplateSwipe/template.c", text_20},
  {"Drivers/TemplateSwipeSwift/README.md", text_21},
  {"Drivers/TemplateSwipeSwift/template-model.swift", text_22},
  {"Drivers/TemplateSwipeSwift/template.swift", text_23},
  {"Sources/Matching/FrameAssembly/AssemblyError.swift", text_24},
  {"Sources/Matching/FrameAssembly/AssemblyLimits.swift", text_25},
  {"Sources/Matching/FrameAssembly/Frames/FrameLayout.swift", text_26},
  {"Sources/Matching/FrameAssembly/Frames/FrameShape.swift", text_27},
  {"Sources/Matching/FrameAssembly/Lines/LineGeometry.swift", text_28},
  {"Sources/Matching/FrameAssembly/Lines/LineOffsets.swift", text_29},
  {"Sources/Matching/FrameAssembly/Lines/LineSeries.swift", text_30},
  {"Sources/Matching/FrameAssembly/Pixels/BackgroundSubtraction.swift", text_31},
  {"Sources/Matching/FrameAssembly/Pixels/BoxResizing.swift", text_32},
  {"Sources/Matching/FrameAssembly/Pixels/Enlarging.swift", text_33},
  {"Sources/Matching/FrameAssembly/Pixels/GrayStretch.swift", text_34},
  {"Sources/Matching/FrameAssembly/Pixels/PixelMeasures.swift", text_35},
  {"Sources/Matching/FrameAssembly/Stripes/StripeMovement+Report.swift", text_36},
  {"Sources/Matching/FrameAssembly/Stripes/StripeMovement+Steadied.swift", text_37},
  {"Sources/Matching/FrameAssembly/Stripes/StripeMovement.swift", text_38},
  {"Sources/Matching/FrameAssembly/Stripes/StripeSeries+Assembly.swift", text_39},
  {"Sources/Matching/FrameAssembly/Stripes/StripeSeries+Difference.swift", text_40},
  {"Sources/Matching/FrameAssembly/Stripes/StripeSeries.swift", text_41},
  {"Sources/Matching/FrameAssembly/SwipeReport.swift", text_42},
  {"Sources/Kits/SensorKit/Driver/Frame.swift", text_43},
  {"Sources/Kits/SensorKit/Driver/RetryReason.swift", text_44},
  {"Sources/Kits/SensorKit/Driver/SensorBox.swift", text_45},
  {"Sources/Kits/SensorKit/Driver/SensorContext.swift", text_46},
  {"Sources/Kits/SensorKit/Driver/SensorDescription.swift", text_47},
  {"Sources/Kits/SensorKit/Driver/SensorDriver.swift", text_48},
  {"Sources/Kits/SensorKit/Driver/SensorOptions.swift", text_49},
  {"Sources/Kits/SensorKit/Driver/SensorTable+Description.swift", text_50},
  {"Sources/Kits/SensorKit/Driver/SensorTable.swift", text_51},
  {"Sources/Kits/SensorKit/Driver/export.swift", text_52},
  {"Sources/Kits/SensorKit/Host/DriverServices.swift", text_53},
  {"Sources/Kits/SensorKit/Host/HostClock.swift", text_54},
  {"Sources/Kits/SensorKit/Host/Interruption.swift", text_55},
  {"Sources/Kits/SensorKit/Host/RandomSource.swift", text_56},
  {"Sources/Kits/SensorKit/Host/ReadableFile.swift", text_57},
  {"Sources/Kits/SensorKit/Host/SensorFailure.swift", text_58},
  {"Sources/Kits/SensorKit/Host/immortal.swift", text_59},
  {"Sources/Kits/SensorKit/Model/DeviceModel.swift", text_60},
  {"Sources/Kits/SensorKit/Model/HostedDevice.swift", text_61},
  {"Sources/Kits/SensorKit/Model/ModelSettings.swift", text_62},
  {"Sources/Kits/SensorKit/Model/ModelTable.swift", text_63},
  {"Sources/Kits/SensorKit/Model/export+Model.swift", text_64},
  {"Sources/Kits/SensorKit/Transport/HotplugTable.swift", text_65},
  {"Sources/Kits/SensorKit/Transport/OpenTransport.swift", text_66},
  {"Sources/Kits/SensorKit/Transport/TransportSource.swift", text_67},
  {"Sources/Kits/SensorKit/Transport/TransportTable+Service.swift", text_68},
  {"Sources/Kits/SensorKit/Transport/TransportTable+Transfers.swift", text_69},
  {"Sources/Kits/SensorKit/Transport/TransportTable.swift", text_70},
  {"Sources/Kits/SensorKit/Transport/USBTransfer.swift", text_71},
  {"Sources/Kits/SensorKit/Transport/USBTransport.swift", text_72},
  {"Sources/Kits/SensorKit/Transport/USBWatch.swift", text_73},
  {"Sources/Kits/SensorKit/Transport/export+Transport.swift", text_74},
  {"Sources/Kits/SensorKit/USB/PendingRead.swift", text_75},
  {"Sources/Kits/SensorKit/USB/USBControlRequest.swift", text_76},
  {"Sources/Kits/SensorKit/USB/USBDevice+Calls.swift", text_77},
  {"Sources/Kits/SensorKit/USB/USBDevice.swift", text_78},
  {"Sources/Kits/SensorKit/USB/USBDeviceInfo+C.swift", text_79},
  {"Sources/Kits/SensorKit/USB/USBDeviceInfo.swift", text_80},
  {"Sources/Kits/SensorKit/USB/USBEndpoint.swift", text_81},
};

const ac_embedded_file_t *ac_embedded_file(unsigned long number) {
  return number < sizeof files / sizeof *files ? &files[number] : NULL;
}
