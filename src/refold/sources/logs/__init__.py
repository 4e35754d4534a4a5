"""What sources that read the logs of agents' wires share."""
