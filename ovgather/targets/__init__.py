"""What a file is meant for: the releases of OpenVINO that read it, and the devices that are to run it.

``answers`` holds what runtimes print, and what it means.

- May know: the records of ``ir``. It knows no Gather layer, and judges no file.
- A new file: a table of plain data in which each datum names its source, or a device: ``devices/<name>.json``
  with the fields of ``Device`` (``purpose.py``), found by listing the folder.
- Enters: the name of a release or a device, a model. Leaves: releases, needs and profiles.
"""
