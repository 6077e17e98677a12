"use strict";
const ENTRY = "from ovgather.cli.main import main; main()";

/**
 * How `ovgather WORDS` is started: by the interpreter of the setting, else by that of the Python extension, else by its
 * name on the PATH.
 */
exports.serverCommand = (words, setting, extension) => {
  const interpreter = setting || extension;
  return interpreter ? { command: interpreter, args: ["-c", ENTRY, ...words] } : { command: "ovgather", args: words };
};
