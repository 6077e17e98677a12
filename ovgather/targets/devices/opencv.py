"""OpenCV's own DNN module, which imports ONNX files (and hands IR files to OpenVINO)."""

from ovgather.targets.profile import READ, Device, Fact, Since

_IMPORTER = "modules/dnn/src/onnx/onnx_importer.cpp of opencv/opencv, before 4.7: CV_Assert(indexMat.total() == 1)"

DEVICE = Device(
    name="opencv",
    aliases=("cv2", "opencv_dnn", "dnn"),
    what="OpenCV's DNN module",
    runs=("onnx",),
    one_index=Fact("Gather takes one constant index only before OpenCV 4.7", _IMPORTER, READ),
    operations=(
        (
            "GatherElements",
            Since(
                "OpenCV 4.9",
                Fact("GatherElements has a layer from OpenCV 4.9 on", "docs.opencv.org: GatherElementsLayer"),
            ),
        ),
        (
            "GatherND",
            Since(
                None,
                Fact(
                    "GatherND has no layer in OpenCV 4",
                    "modules/dnn/src/onnx/onnx_importer.cpp of opencv/opencv, 4.x",
                    READ,
                ),
            ),
        ),
    ),
)
