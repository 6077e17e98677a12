"""``python -m ovgather``: the command line."""

from ovgather.cli.main import main

if __name__ == "__main__":
    main()
