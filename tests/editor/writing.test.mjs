import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { editorTest } from './session.mjs';

editorTest('Enter goes on with a documentation comment, and indents inside a block', {}, async ({ server, open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');
    // The rules of a language are read when a file of it is opened for the first time: its brackets have
    // colours then.
    await editor.page.waitForSelector('.monaco-editor .view-line .bracket-highlighting-0');
    await editor.clickBehind('/// Two workers', 'takes it.');
    await editor.page.keyboard.press('Enter');
    await editor.page.keyboard.type('That is one step too many.');
    await editor.clickBehind('loop {', 'loop {');
    await editor.page.keyboard.press('Enter');
    await editor.page.keyboard.type('// round and round');
    await editor.save();
    const lines = readFileSync(join(server.folder, 'lock.stb'), 'utf8').split('\n');
    assert.equal(lines[1], '/// That is one step too many.');
    assert.equal(lines[lines.indexOf('    loop {') + 1], '        // round and round');
});
