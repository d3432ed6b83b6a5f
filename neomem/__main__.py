"""`python -m neomem` is the `neomem` command."""

from neomem.cli import main

main()
