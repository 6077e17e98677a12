"""The cyclic collector while files are read: as the process around has it, and without a heap of dead files."""

import gc
import subprocess
import sys
from weakref import ref

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


@pytest.mark.slow
def test_frozen_objects_of_the_process_stay_frozen():
    gc.collect()  # what dead objects hold would be freed, frozen or not
    gc.freeze()
    try:
        number = gc.get_freeze_count()
        ovgather.read(SMALL)
        # What a cache lets go is freed, frozen or not.
        assert gc.get_freeze_count() > 0.9 * number > 0
    finally:
        gc.unfreeze()


DEAD_FILES = """
import gc, ovgather
from ovgather.ir import read as reading
reading._UNWALKED = 20_000
from ovgather.ir.graph import Graph
layers = "".join(f'<layer id="{number}" name="{number}" type="X" version="opset1"/>' for number in range(2000))
body = f"<body><layers>{layers}</layers><edges/></body>"
loop = f'<layer id="0" name="loop" type="Loop" version="opset5">{body}</layer>'
for _ in range(16):
    ovgather.read(f'<net name="m" version="11"><layers>{loop}</layers><edges/></net>'.encode())
print(sum(isinstance(each, Graph) for each in gc.get_objects()))
"""


@pytest.mark.slow
def test_dead_files_with_bodies_are_collected_now_and_then():
    child = subprocess.run(
        [sys.executable, "-c", DEAD_FILES], capture_output=True, text=True, check=True
    )
    assert int(child.stdout) < 16


def test_a_dead_file_needs_no_collector():
    model = ovgather.read("samples_xml/demo/good.xml")
    ovgather.validate(model)
    graph = ref(model.graph)
    del model
    assert graph() is None


def test_a_layer_is_one_object_and_keeps_its_file():
    layer = ovgather.read("samples_xml/demo/good.xml").find("word_embedding")
    producer = layer.producer(0)
    assert producer is not None
    assert producer[0] is layer.graph.with_id(producer[0].id)
    assert any(each is layer for each in layer.graph.layers)
