"""ONNX files: bytes -> the nodes of the Gather family, with what the file says of their inputs.

It needs the extra ``ovgather[onnx]``. Nothing of a file is run, and external data are looked at only below its folder.
"""
