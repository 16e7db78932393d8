"""``python3 -m lacuna``."""

from .launch import main

main()
