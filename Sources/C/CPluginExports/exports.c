#include "CPluginExports.h"
