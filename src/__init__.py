"""mastaba: hidden-information board games for friends on one network, without a server, a host or trust."""
