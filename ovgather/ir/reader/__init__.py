"""The reader of any IR: expat, with handlers for states."""
