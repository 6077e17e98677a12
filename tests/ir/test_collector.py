"""The cyclic collector while files are read: as the process around has it, and without a heap of dead files."""

import gc
import subprocess
import sys

import pytest

import ovgather

SMALL = b'<net name="m" version="11"><layers><layer id="0" name="dead" type="X" version="opset1"/></layers></net>'


@pytest.mark.parametrize("is_enabled", [True, False])
def test_the_collector_is_left_as_it_is(is_enabled):
    before = gc.isenabled()
    (gc.enable if is_enabled else gc.disable)()
    try:
        ovgather.read(SMALL)
        assert gc.isenabled() is is_enabled
    finally:
        (gc.enable if before else gc.disable)()


def test_frozen_objects_of_the_process_stay_frozen():
    gc.freeze()
    try:
        number = gc.get_freeze_count()
        ovgather.read(SMALL)
        assert gc.get_freeze_count() >= number > 0
    finally:
        gc.unfreeze()


DEAD_FILES = """
import gc, ovgather
from ovgather.ir import read as reading
reading._UNWALKED = reading._unwalked["most"] = 20_000
from ovgather.ir.graph import Layer
layers = "".join(f'<layer id="{number}" name="{number}" type="X" version="opset1"/>' for number in range(1000))
text = f'<net name="m" version="11"><layers>{layers}</layers></net>'.encode()
for _ in range(100):
    ovgather.read(text)
print(sum(isinstance(each, Layer) for each in gc.get_objects()))
"""


def test_dead_files_are_collected_now_and_then():
    child = subprocess.run([sys.executable, "-c", DEAD_FILES], capture_output=True, text=True, check=True)
    assert int(child.stdout) < 20_000
