"""`python -m tuneproof`: the command `tuneproof`."""

from ._program import main

main()
