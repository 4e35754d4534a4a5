"""Foreign formats, each a pure transducer to OmniMessages (see ``source``)."""
