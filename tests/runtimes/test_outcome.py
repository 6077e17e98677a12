"""What an outcome says: why, and notes, each of them once and whole."""

from ovgather.runtimes.outcome import Outcome, restated, with_notes


def test_a_note_is_said_once() -> None:
    outcome = Outcome("different", "it differs; much")
    outcome = with_notes(outcome, "on a; on b", "", "on a; on b")
    outcome = with_notes(outcome, "on b", "it differs; much")
    assert outcome.notes == ("on a; on b", "on b")
    assert outcome.reason == "it differs; much; on a; on b; on b"


def test_another_reason_keeps_what_was_said() -> None:
    outcome = with_notes(Outcome("different", "", cause="x"), "on a")
    again = restated(outcome, "because; so", cause="y")
    assert (again.cause, again.why, again.notes) == ("y", "because; so", ("on a",))
    assert restated(again, "on a").reason == "on a; because; so"
