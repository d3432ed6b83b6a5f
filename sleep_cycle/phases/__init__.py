"""The phases of a night, a file each; none knows another."""
