"""Set before any test: nothing is sent while tests run."""

from __future__ import annotations

import os

# OpenVINO's import forks a process that tells Intel of it, but not where it sees a CI. A child that crashes would leave
# that process behind, with the pipes that a test reads to their end. (By JENKINS_URL hypothesis does not go.)
os.environ.setdefault("JENKINS_URL", "none")
