"""`python -m neomem_hook`, the same as `neomem-hook`."""

import sys

from neomem_hook.hook import main

sys.exit(main())
