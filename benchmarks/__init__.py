"""What neomem costs, measured beside a peer or a limit in the same run; never shipped."""
