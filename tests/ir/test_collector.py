"""The cyclic collector while files are read: as the process around has it, and without a heap of dead files."""

import gc

import pytest

import ovgather
from ovgather.ir import read as reading
from ovgather.ir.graph import Graph

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


def test_dead_files_are_collected_now_and_then(monkeypatch):
    monkeypatch.setattr(reading, "_UNWALKED", 100)
    for _ in range(300):
        ovgather.read(SMALL)
    graphs = [
        each for each in gc.get_objects() if isinstance(each, Graph) and each.layers and each.layers[0].name == "dead"
    ]
    assert len(graphs) < 100
