"""A failure made small: ``layer`` finds what fails, in a file or by a report; ``search`` tries smaller trials
(``dims``, ``plainer``) in a standing worker (``prober``), ``model`` parts of a model; ``folder`` writes it
down."""
