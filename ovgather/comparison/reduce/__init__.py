"""A failure made small: ``layer`` finds what fails, in a file or by a report; ``search`` tries smaller layers
(``alone.dims``, ``plainer``) and ``model`` smaller parts of a model, both in a standing worker (``prober``); ``folder``
writes it down, with ``page`` and the script ``comparison/reproduce.py``."""
