import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editorTest } from './session.mjs';

const nowhere = { prepare: () => ({ 'stubborn.server.path': '/nowhere/stubborn' }) };

editorTest('a server path that leads nowhere is told, with what can be done', nowhere, async ({ open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');
    const notification = editor.notifications.filter({ hasText: 'stubborn.server.path' });
    await notification.waitFor();
    assert.match(await notification.innerText(), /names \/nowhere\/stubborn, and there is no such file/);
    await editor.page.getByRole('button', { name: 'Open the Setting' }).click();
    await editor.page.locator('.settings-editor').getByText('Stubborn › Server: Path').first().waitFor();
});

const noServer = { prepare: () => ({ 'stubborn.server.path': '/bin/true' }) };

editorTest('a program that is no server is told once, with its path', noServer, async ({ open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');
    await editor.notifications.filter({ hasText: 'The server /bin/true could not be started' }).waitFor();
    assert.equal(await editor.notifications.count(), 1);
});

/** A workspace that brings a program and names it as the server; the program leaves a trace of its run. */
const intrusive = {
    trust: true,
    prepare: folder => {
        const program = join(folder, 'tools', 'stubborn');
        mkdirSync(join(folder, 'tools'));
        writeFileSync(program, `#!/bin/sh\ntouch '${join(folder, 'was-run')}'\n`, { mode: 0o755 });
        return { 'stubborn.server.path': program };
    },
};

editorTest('a program of the workspace is run only once the workspace is trusted', intrusive, async ({ server, open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');
    // The server of the package has spoken, so the choice of the program has been made.
    await editor.squiggles.first().waitFor();
    assert.ok(!existsSync(join(server.folder, 'was-run')), 'the program of an untrusted workspace was run');

    // The same workspace, trusted: had the program been started before, it would have been seen.
    await editor.trustWorkspace();
    await editor.notifications.filter({ hasText: 'could not be started' }).waitFor();
    assert.ok(existsSync(join(server.folder, 'was-run')), 'the program of the trusted workspace was not run');
});
