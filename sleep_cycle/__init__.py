"""What happens overnight: phases that clean up and compact, each of which can be undone."""
