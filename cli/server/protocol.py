"""The protocol: what pygls does not do of it."""

import os
from typing import Any, NoReturn

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest
from pygls.protocol import LanguageServerProtocol, lsp_method
from pygls.protocol.json_rpc import RPCRequest


class Protocol(LanguageServerProtocol):
    """Answers each request, also one that cannot be read, or comes after the shutdown; ends at once when told to."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and "id" in data:
                self._send_response(data["id"], None, error.to_response_error())
            raise

    def handle_message(self, message: Any) -> None:
        if self._shutdown and isinstance(message, RPCRequest):
            error = JsonRpcInvalidRequest("the server is shut down")
            self._send_response(message.id, None, error.to_response_error())
            return
        super().handle_message(message)

    @lsp_method(types.EXIT)
    def lsp_exit(self, *args: object) -> NoReturn:
        os._exit(0 if self._shutdown else 1)
