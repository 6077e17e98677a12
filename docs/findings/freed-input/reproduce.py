"""A second inference on a new input tensor, after the first tensor is freed: OpenVINO's CPU plugin reads the freed one.

    pip install openvino numpy
    python reproduce.py

OpenVINO runs in a child process. Exits with 1 when the process dies or an output is wrong, with 0 otherwise.
"""

import subprocess
import sys
from pathlib import Path

import numpy
import openvino


def infer() -> None:
    core = openvino.Core()
    model = core.read_model(Path(__file__).with_name("model.xml"))
    request = core.compile_model(model, "CPU").create_infer_request()
    for number in range(3):
        # The request holds the only reference, so the tensor of before is freed here.
        request.set_input_tensor(0, openvino.Tensor(numpy.ones((5, 100000), "f4")))
        request.infer()
        right = (request.get_output_tensor(0).data == 1).all()
        print(f"inference {number + 1} is {'right' if right else 'wrong'}", flush=True)
        if not right:
            sys.exit(1)


if __name__ == "__main__":
    if sys.argv[1:] == ["infer"]:
        infer()
        sys.exit(0)
    print(f"OpenVINO {openvino.__version__}, numpy {numpy.__version__}")
    status = subprocess.run([sys.executable, __file__, "infer"]).returncode
    print(f"the process ends with status {status}")
    sys.exit(1 if status else 0)
