"""What the README shows of other editors is what the clients here are configured with, to the letter.

tests/clients/run.sh starts it. Prints a line `ok README: …` or `not ok README: …` for each of them.
"""

import json
import os
import pathlib

import pytest

HERE = pathlib.Path(os.environ["CLIENTS"])
README = (HERE / "../../README.md").read_text()
STORY = json.loads((HERE / "story.json").read_text())


@pytest.mark.parametrize("file", ["neovim-config.lua", "emacs-config.el", "helix-config.toml"])
def test_readme(file):
    language = {".lua": "lua", ".el": "elisp", ".toml": "toml"}[pathlib.Path(file).suffix]
    fenced = f"```{language}\n{(HERE / file).read_text()}```\n"
    sentence = f"README: it shows the lines of {file}"
    if fenced in README:
        print(f"\nok {sentence}")
    elif "readme" in STORY["may_be_left_out"]:
        print(f"\nleft out {sentence}: not yet")
    else:
        print(f"\nnot ok {sentence}")
        pytest.fail(f"README.md does not have this:\n{fenced}")
