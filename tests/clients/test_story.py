"""The story with pytest-lsp, as clients that say of themselves what VS Code, Neovim and Emacs say.

tests/clients/run.sh starts it in a fresh copy of the workspace for each:

    CLIENTS=tests/clients STUBBORN=target/debug/stubborn pytest -s tests/clients/test_story.py

Prints a line `ok pytest-lsp, as …: …` or `not ok …` for each step of story.json. An answer that a
client with these capabilities could not use fails the step, as pytest-lsp warns of it.
"""

import asyncio
import json
import os
import pathlib
import re
import shutil
from contextlib import contextmanager

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcRequestCancelled
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

HERE = pathlib.Path(os.environ["CLIENTS"])
STORY = json.loads((HERE / "story.json").read_text())
SERVER = ClientServerConfig(server_command=[os.environ["STUBBORN"], "lsp"])
DEADLINE = float(os.environ.get("DEADLINE", "60"))
# How each encoding counts what stands before a place in its line.
LENGTH = {
    "utf-8": lambda text: len(text.encode()),
    "utf-16": lambda text: len(text.encode("utf-16-le")) // 2,
    "utf-32": len,
}


class NotOffered(Exception):
    """The server does not say that it can do this."""


class Document:
    """A file as an editor has it: what is typed is told to the server, a save also to the disk."""

    def __init__(self, client, path, length):
        self.client, self.path, self.length = client, path, length
        self.uri = path.as_uri()
        self.version = 1
        self.text = path.read_text()
        item = lsp.TextDocumentItem(self.uri, "stubborn", self.version, self.text)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    @property
    def identifier(self):
        return lsp.TextDocumentIdentifier(self.uri)

    def position(self, offset):
        before = self.text[:offset].split("\n")
        return lsp.Position(len(before) - 1, self.length(before[-1]))

    def offset(self, position):
        lines = self.text.split("\n")
        line = lines[position.line]
        columns = (at for at in range(len(line) + 1) if self.length(line[:at]) == position.character)
        return sum(len(one) + 1 for one in lines[: position.line]) + next(columns)

    def find(self, line, name=None):
        """Where `name` stands in the line that has `line`; without a name, where that does."""
        start = self.text.index(line)
        if name is None:
            return start, start + len(line)
        start = self.text.index(name, start)
        return start, start + len(name)

    def range(self, line, name=None):
        start, end = self.find(line, name)
        return lsp.Range(self.position(start), self.position(end))

    def replace(self, span, new):
        """Types."""
        start, end = span
        where = lsp.Range(self.position(start), self.position(end))
        self.version += 1
        self.text = self.text[:start] + new + self.text[end:]
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self.version, self.uri),
                [lsp.TextDocumentContentChangePartial(where, new)],
            )
        )

    def save(self):
        self.path.write_text(self.text)
        self.client.text_document_did_save(lsp.DidSaveTextDocumentParams(self.identifier))

    def told(self, line, name):
        """The diagnostics of exactly this piece."""
        where = self.range(line, name)
        return [one for one in self.client.diagnostics.get(self.uri, ()) if one.range == where]

    def times(self, name):
        return len(re.findall(rf"\b{name}\b", self.text))


def is_error(one):
    return one.severity == lsp.DiagnosticSeverity.Error


def is_stale(one):
    """Is said to be of the text before, and no more as an error."""
    return not is_error(one) and one.message.startswith(STORY["before"])


class Editor:
    def __init__(self, client, folder):
        self.client, self.folder = client, folder
        self.waiting = "an answer"
        self.asked = 0  # how often the server wanted to know the settings
        look_up = client.get_configuration

        def count(**what):
            self.asked += 1
            return look_up(**what)

        client.get_configuration = count

    def of(self, document, key):
        return document.told(**STORY[key])

    async def wait_until(self, what, condition):
        """Hears what the server tells until the condition holds."""
        self.waiting = what
        while not condition():
            await self.client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        self.waiting = "an answer"

    def both_are_violated(self):
        found = [self.of(self.model, "violated"), self.of(self.tester, "violated_by_tester")]
        return all(any(map(is_error, here)) and not any(map(is_stale, here)) for here in found)

    async def hover(self, document, line, name):
        where = document.range(line, name)
        answer = await self.client.text_document_hover_async(lsp.HoverParams(document.identifier, where.start))
        assert answer is not None and answer.range == where, answer
        understood = self.client.capabilities.text_document.hover.content_format
        assert answer.contents.kind in understood, answer
        return answer.contents.value

    def apply(self, edit):
        """Makes the changes as an editor does: from the end, so that their places stay true."""
        changes = {uri: edits for uri, edits in (edit.changes or {}).items()}
        for one in edit.document_changes or []:
            document = self.document(one.text_document.uri)
            assert one.text_document.version in (None, document.version)
            changes[one.text_document.uri] = one.edits
        assert changes, edit
        for uri, edits in changes.items():
            document = self.document(uri)
            spans = [(document.offset(one.range.start), document.offset(one.range.end), one.new_text) for one in edits]
            for start, end, new in sorted(spans, reverse=True):
                document.replace((start, end), new)

    def document(self, uri):
        return next(one for one in (self.model, self.tester) if one.uri == uri)

    def wrong(self):
        return {"line": f"await not {STORY['mistake']['wrong']}", "name": STORY["mistake"]["wrong"]}

    async def open(self, capabilities):
        shutil.copytree(HERE / "workspace", self.folder)
        answer_what_is_asked(self.client, capabilities)
        workspace = lsp.WorkspaceFolder(self.folder.as_uri(), "workspace")
        params = lsp.InitializeParams(capabilities=capabilities, workspace_folders=[workspace])
        self.offered = (await self.client.initialize_session(params)).capabilities
        length = LENGTH[self.offered.position_encoding or "utf-16"]
        self.model = Document(self.client, self.folder / STORY["model"], length)
        self.tester = Document(self.client, self.folder / STORY["tester"], length)
        await self.wait_until("the violations", self.both_are_violated)
        assert self.of(self.model, "holding") == []

    async def see_hover(self):
        shown = await self.hover(self.model, **STORY["violated"])
        assert "violated" in shown
        for part in STORY["trace"]:
            assert part in shown
        assert "holds" in await self.hover(self.model, **STORY["holding"])

    async def make_mistake(self):
        mistake = STORY["mistake"]
        self.model.replace(self.model.find(mistake["line"], mistake["right"]), mistake["wrong"])
        await self.wait_until("the mistake", lambda: any(map(is_error, self.model.told(**self.wrong()))))
        await self.wait_until(
            "what was found before",
            lambda: any(map(is_stale, self.of(self.model, "violated")))
            and any(map(is_stale, self.of(self.tester, "violated_by_tester"))),
        )
        assert not any(map(is_error, self.of(self.model, "violated")))

    async def complete(self):
        if self.offered.completion_provider is None:
            raise NotOffered
        behind = self.model.range(**self.wrong()).end
        answer = await self.client.text_document_completion_async(lsp.CompletionParams(self.model.identifier, behind))
        items = answer.items if isinstance(answer, lsp.CompletionList) else answer
        assert STORY["mistake"]["right"] in [item.label for item in items]

    async def fix(self):
        if self.offered.code_action_provider is None:
            self.model.replace(self.model.find(**self.wrong()), STORY["mistake"]["right"])
            await self.wait_until("what was found", self.both_are_violated)
            raise NotOffered
        where = self.model.range(**self.wrong())
        context = lsp.CodeActionContext(
            diagnostics=self.model.told(**self.wrong()),
            only=[lsp.CodeActionKind.QuickFix],
        )
        params = lsp.CodeActionParams(self.model.identifier, where, context)
        actions = await self.client.text_document_code_action_async(params)
        (action,) = [one for one in actions if STORY["mistake"]["right"] in one.title]
        if action.edit is None:
            action = await self.client.code_action_resolve_async(action)
        self.apply(action.edit)
        assert STORY["mistake"]["line"] in self.model.text
        await self.wait_until("what was found", self.both_are_violated)

    async def rename(self):
        if self.offered.rename_provider is None:
            raise NotOffered
        renamed = STORY["renamed"]
        at = self.model.range(renamed["line"], renamed["from"]).start
        params = lsp.RenameParams(self.model.identifier, at, renamed["to"])
        self.apply(await self.client.text_document_rename_async(params))
        assert self.model.times(renamed["to"]) == renamed["in_model"]
        assert self.tester.times(renamed["to"]) == renamed["in_tester"]
        assert self.model.times(renamed["from"]) + self.tester.times(renamed["from"]) == 0
        # A name changes nothing that was found.
        await self.wait_until("what was found", self.both_are_violated)

    async def save(self):
        mended = STORY["mended"]
        self.model.replace(self.model.find(mended["gone"]), "")
        self.model.replace(self.model.find(mended["line"]), mended["to"])
        self.model.save()
        self.tester.save()
        await self.wait_until(
            "nothing wrong",
            lambda: not self.of(self.model, "violated")
            and not self.of(self.tester, "violated_by_tester")
            and not any(is_error(one) for all in self.client.diagnostics.values() for one in all),
        )
        assert "holds" in await self.hover(self.model, **STORY["violated"])
        assert "holds" in await self.hover(self.tester, **STORY["violated_by_tester"])

    async def cancel(self):
        ask = lsp.HoverParams(self.model.identifier, self.model.range(**STORY["violated"]).start)
        send = self.client.protocol.send_request
        answers, taken_back = [], []
        for number in range(20):
            name = f"taken back {number}"
            taken_back.append(asyncio.wrap_future(send(lsp.TEXT_DOCUMENT_HOVER, ask, msg_id=name)))
            self.client.cancel_request(lsp.CancelParams(name))
            answers.append(self.client.text_document_hover_async(ask))
        assert all(await asyncio.gather(*answers))
        # These are answered too: that they are cancelled, or with what was found before.
        for answer in await asyncio.gather(*taken_back, return_exceptions=True):
            assert isinstance(answer, (lsp.Hover, JsonRpcRequestCancelled)), answer

    async def quit(self):
        await self.client.shutdown_session()
        assert self.client._server.returncode == 0
        assert self.asked <= STORY["asked_for_settings_at_most"], f"asked for the settings {self.asked} times"

    def tell_what_was_heard(self):
        for uri, found in self.client.diagnostics.items():
            for one in found:
                print(f"  heard: {uri}:{one.range.start.line + 1}: {one.message}")
        for one in self.client.messages + self.client.log_messages:
            print(f"  said: {one.message}")


@contextmanager
def step(name, who, editor):
    sentence = STORY["steps"][name]
    try:
        yield
        print(f"ok {who}: {sentence}", flush=True)
    except NotOffered:
        assert name in STORY["may_be_left_out"], f"{sentence}: not offered"
        print(f"left out {who}: {sentence}: not offered", flush=True)
    except BaseException as why:
        late = isinstance(why, asyncio.CancelledError)
        told = f"still waiting for {editor.waiting}" if late else f"{type(why).__name__}: {why}"
        print(f"not ok {who}: {sentence}: {told}")
        editor.tell_what_was_heard()
        raise


def answer_what_is_asked(client, capabilities):
    """What the server may ask of such a client is answered; for all else pytest-lsp fails the test."""
    client.feature(lsp.CLIENT_REGISTER_CAPABILITY)(lambda _: None)
    workspace = capabilities.workspace
    for method, asked in {
        lsp.WORKSPACE_CODE_LENS_REFRESH: workspace.code_lens,
        lsp.WORKSPACE_INLAY_HINT_REFRESH: workspace.inlay_hint,
        lsp.WORKSPACE_SEMANTIC_TOKENS_REFRESH: workspace.semantic_tokens,
    }.items():
        if asked is not None and asked.refresh_support:
            client.feature(method)(lambda _: None)


@pytest_lsp.fixture(config=SERVER)
async def client(lsp_client: LanguageClient):
    yield
    # One that did not do as it was asked must not keep the others waiting.
    if lsp_client._server.returncode is None:
        lsp_client._server.kill()


@pytest.mark.asyncio
@pytest.mark.filterwarnings("error::pytest_lsp.LspSpecificationWarning")
@pytest.mark.parametrize("profile", ["visual-studio-code", "neovim", "emacs"])
async def test_story(profile, client: LanguageClient, tmp_path):
    editor = Editor(client, tmp_path / "workspace")
    steps = {
        "open": lambda: editor.open(client_capabilities(profile)),
        "hover": editor.see_hover,
        "mistake": editor.make_mistake,
        "completion": editor.complete,
        "fix": editor.fix,
        "rename": editor.rename,
        "save": editor.save,
        "cancel": editor.cancel,
        "quit": editor.quit,
    }
    assert steps.keys() == STORY["steps"].keys()
    print()
    async with asyncio.timeout(DEADLINE):
        for name, tell in steps.items():
            with step(name, f"pytest-lsp, as {profile}", editor):
                await tell()
