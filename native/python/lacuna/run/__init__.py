"""``lacuna run [options] -- COMMAND``: any launcher, with the agent in everything that it starts.

The shell script ``lacuna-run`` finds a Python and starts ``start.py`` with it, which never lets a fault of this package keep
COMMAND from running. No virtual machine is started: COMMAND begins within some 50 ms.

``command`` reads the words and prepares the environment as ``python3 -m lacuna`` does. ``child`` starts COMMAND in a session
of its own, hands signals on and ends as it ended. ``seen`` watches agents come and go, ``summary`` says what they counted.
"""
