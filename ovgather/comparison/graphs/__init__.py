"""A fuzz of graphs: ``random_graph`` draws models around layers of the family, each valid by the forward pass, and
``campaign`` cross-checks them and has failures reduced."""
