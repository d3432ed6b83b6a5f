"""How long a recall takes, at many sizes, beside other systems on the same server."""
