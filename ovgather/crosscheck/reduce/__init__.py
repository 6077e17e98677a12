"""A failure made small: ``layer`` finds what fails, ``search`` tries smaller trials (``dims``, ``plainer``) in a
standing worker (``prober``), and ``folder`` writes the reproducer with its ``page``. ``report`` reads what crosscheck
printed.
"""
