import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { editorTest, keepPicture } from './session.mjs';

/** The editor as it comes: with its welcome page, and nothing hidden. */
const fresh = {
    user: {
        'workbench.startupEditor': 'welcomePage',
        'workbench.activityBar.location': 'default',
        'workbench.editor.editorActionsLocation': 'default',
    },
};

/** What a person may do until they see the first counterexample. */
const MOST_ACTIONS = 4;

editorTest('from a fresh install, without a folder, the first counterexample is a few actions away', fresh, async ({ server, open }) => {
    const editor = await open({});
    const { page } = editor;
    const welcome = page.locator('.gettingStartedContainer');
    let actions = 0;
    const click = async locator => {
        await locator.first().click();
        actions += 1;
    };
    // A new editor begins with its own first steps; all others are one click away.
    await click(welcome.locator('.prev-button'));
    await keepPicture(editor, 'welcome-light');
    await click(welcome.locator('button').filter({ hasText: 'First steps with Stubborn' }));
    const openModel = page.locator('.gettingStartedContainer .button-link, .gettingStartedContainer a, .gettingStartedContainer button').filter({ hasText: /^Open the model$/ });
    await openModel.first().waitFor();
    await page.frameLocator('iframe.webview').frameLocator('iframe').getByText('A model says what each process may do').waitFor();
    await keepPicture(editor, 'walkthrough-light');
    await click(openModel);
    await editor.squiggles.first().waitFor();
    await page.locator('.codelens-decoration').filter({ hasText: 'mutex: ✗ violated' }).waitFor();
    const hover = await editor.hoverOver('invariant mutex', 'mutex', { has: page.locator('table') });
    actions += 1;
    assert.match(await hover.locator('table tbody tr').last().innerText(), /worker\([01]\)/);
    await keepPicture(editor, 'first-counterexample-light');
    assert.ok(actions <= MOST_ACTIONS, `it took ${actions} actions`);
    console.log(`from a fresh install to the first counterexample: ${actions} actions`);

    // The text is nowhere yet, and all else works with it: the marks, the foot, the tests.
    await editor.leaveText();
    await editor.waitForMarks('violated', 1);
    await editor.status.filter({ hasText: '1 violated' }).waitFor();
    await editor.showTests();
    await editor.waitForTestState('first-steps.stb', /Failed/);

    // Mended as the walkthrough says.
    await editor.clickBehind('or ', 'await not taken');
    await page.keyboard.type(' do taken = true');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+Shift+K');
    await editor.status.filter({ hasText: '4 hold' }).waitFor();
    await editor.squiggles.first().waitFor({ state: 'detached' });

    // A snippet, with its places to fill in.
    await page.keyboard.press('Control+End');
    await page.keyboard.type('never');
    await editor.takeSuggestion('What may never be');
    await editor.page.locator('.view-line').filter({ hasText: /invariant\ssafe:\snot\s\(false\)/ }).waitFor();

    // It is saved where the person may write.
    await page.keyboard.press('Escape');
    await editor.save();
    assert.ok(existsSync(join(dirname(server.folder), 'first-steps.stb')));
});

/** Two folders that nobody trusts yet. */
const twoFolders = {
    trust: true,
    prepare: folder => {
        const other = join(dirname(folder), 'others');
        mkdirSync(other);
        cpSync(join(folder, 'lock.stb'), join(other, 'other.stb'));
        writeFileSync(
            join(dirname(folder), 'both.code-workspace'),
            JSON.stringify({ folders: [{ path: folder }, { path: other }] }),
        );
        return {};
    },
};

editorTest('it works in a workspace of two folders that is not trusted', twoFolders, async ({ server, open }) => {
    const editor = await open({ workspace: join(dirname(server.folder), 'both.code-workspace') });
    for (const name of ['lock.stb', 'other.stb']) {
        await editor.openFile(name);
        await editor.squiggles.first().waitFor();
        await editor.waitForMarks('violated', 1);
        await editor.status.filter({ hasText: '1 violated, 3 hold' }).waitFor();
    }
    await editor.showTests();
    await editor.waitForTestState('models/lock.stb', /Failed/);
    await editor.waitForTestState('others/other.stb', /Failed/);
});

/** A server that speaks another version of what the extension and the server have agreed on. */
const otherVersion = {
    prepare: folder => {
        const program = join(dirname(folder), 'older-stubborn');
        const source = [
            `#!${process.execPath}`,
            "let text = '';",
            'const say = message => {',
            "    const body = JSON.stringify({ jsonrpc: '2.0', ...message });",
            '    process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\\r\\n\\r\\n${body}`);',
            '};',
            "process.stdin.on('data', data => {",
            '    text += data;',
            '    for (let match; (match = /Content-Length: (\\d+)\\r\\n\\r\\n/.exec(text)) !== null; ) {',
            '        const start = match.index + match[0].length;',
            '        const end = start + Number(match[1]);',
            '        if (text.length < end) return;',
            '        const { id, method } = JSON.parse(text.slice(start, end));',
            '        text = text.slice(end);',
            "        if (method === 'exit') process.exit(0);",
            "        const result = method === 'initialize' ? { capabilities: {}, serverInfo: { name: 'stubborn', version: '0.0.1' } } : null;",
            '        if (id !== undefined) say({ id, result });',
            '    }',
            '});',
        ];
        writeFileSync(program, `${source.join('\n')}\n`, { mode: 0o755 });
        return { 'stubborn.server.path': program };
    },
};

editorTest('a server of another version is told of plainly, with what can be done', otherVersion, async ({ open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');
    const told = editor.notifications.filter({ hasText: 'is version 0.0.1, and older than this extension needs' });
    await told.waitFor();
    assert.match(await told.innerText(), /Update the server, or leave the setting stubborn\.server\.path empty/);
    assert.equal(await editor.notifications.count(), 1);
});
