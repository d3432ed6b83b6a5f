"""The hook agents run at every prompt and turn: a few files of the standard library, nothing else.

It starts in milliseconds, asks the warm service (`neomem serve`) and prints what that answers. An
agent never notices a failure: nothing is printed, the exit code is 0, and the log has a line.
"""
