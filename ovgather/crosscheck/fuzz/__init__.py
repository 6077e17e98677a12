"""Random layers run through the runtimes: what fails is grouped by its cause, and one of each group made small."""
