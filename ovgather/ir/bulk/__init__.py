"""The quick path for large files written as OpenVINO writes them; ``ir.read`` does without it where it declines."""
