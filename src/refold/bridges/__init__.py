"""Sessions in the words of other protocols, for the front ends that speak them."""
