"""A run of random graphs: verdicts of the real runtime, failures by group, and a reproducer that was run."""

from pathlib import Path

import pytest
from crosscheck_models import requires_openvino
from paths import SAMPLES

from ovgather.cli.main import run as run_cli
from ovgather.comparison.graphs import campaign as campaign_module
from ovgather.comparison.graphs.campaign import GraphCampaign
from ovgather.comparison.options import CrosscheckOptions
from ovgather.ir.read import read
from ovgather.report import render

pytestmark = requires_openvino


def compressed_batches() -> tuple[bytes, bytes, list[str]]:
    """A graph that OpenVINO 2026.4 refuses to run: see docs/findings.md."""
    path = SAMPLES / "rules" / "OVG711" / "bad.xml"
    types = [layer.type for layer in read(path).graph.layers]
    return path.read_bytes(), path.with_suffix(".bin").read_bytes(), types


def test_graphs_that_are_right() -> None:
    campaign = GraphCampaign(2, CrosscheckOptions(seed=1))
    campaign.run()
    assert campaign.done == 2
    assert campaign.verdicts["equal"]
    assert not campaign.groups
    text = render("fuzz", "text", [campaign])
    assert text.endswith("2 graphs, seed 1\n")


def test_no_graph_is_begun_after_the_time() -> None:
    campaign = GraphCampaign(100, CrosscheckOptions(seed=1), minutes=1e-6)
    campaign.run()
    assert campaign.done == 1


@pytest.mark.slow
def test_a_failure_is_made_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = compressed_batches()
    monkeypatch.setattr(campaign_module, "random_graph", lambda *_: graph)
    campaign = GraphCampaign(1, CrosscheckOptions(seed=2), folder=str(tmp_path))
    campaign.run()
    (group,) = campaign.ranking
    assert group.signature.verdict == "error"
    campaign.reduce()
    assert 1 < group.layers <= 4
    assert (Path(group.folder) / "reproduce.py").exists()
    assert not group.note


@pytest.mark.parametrize("option", ["--graphs", "--no-reduce"])
def test_options_that_need_fuzz(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_cli(["crosscheck", option, "m.xml"]) == 2
    assert "goes with --fuzz" in capsys.readouterr().err
