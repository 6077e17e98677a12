"""Operations that read and make shapes: most shape subgraphs consist of them."""
