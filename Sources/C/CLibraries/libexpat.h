/* expat, for the XML that KeePass exports. */
#include <expat.h>
