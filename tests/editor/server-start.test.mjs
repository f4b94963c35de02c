import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editorTest } from './session.mjs';

/** The server that was packaged. */
const packaged = join(import.meta.dirname, '../../vscode-extension/server/stubborn');

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

/** A server of another time: ours, which says that it speaks another version of the protocol. */
const older = {
    prepare: folder => {
        const program = join(folder, 'tools', 'stubborn');
        mkdirSync(join(folder, 'tools'));
        const lines = [
            `#!${process.execPath}`,
            `const { spawn } = require('node:child_process');`,
            `const server = spawn(${JSON.stringify(packaged)}, process.argv.slice(2), { stdio: ['inherit', 'pipe', 'inherit'] });`,
            // As long as it was, so that the length that stands before it is right.
            `server.stdout.on('data', said => process.stdout.write(said.toString('latin1').replace('"protocol":1', '"protocol":0'), 'latin1'));`,
            `server.on('exit', status => process.exit(status ?? 1));`,
        ];
        writeFileSync(program, `${lines.join('\n')}\n`, { mode: 0o755 });
        return { 'stubborn.server.path': program };
    },
};

editorTest('a server of another version is told, and steps through no run either', older, async ({ open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');
    const told = editor.notifications.filter({ hasText: 'older than this extension needs' });
    await told.waitFor();
    assert.match(await told.innerText(), /it speaks version 0 of their protocol, and this needs version 1.*Update the server/s);
    const seed = editor.page.locator('input[placeholder="A seed, or nothing"]');
    await editor.commandThatAsks('Stubborn: Simulate This Model', { has: seed });
    // To the box itself: what is typed before it has the focus would go to the text below.
    await seed.fill('7');
    await seed.press('Enter');
    await editor.page.locator('.monaco-dialog-box', { hasText: 'older than this extension needs' }).waitFor();
});
