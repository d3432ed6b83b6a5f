"""How good recall is: public data through the public API, beside peers in the same run."""
