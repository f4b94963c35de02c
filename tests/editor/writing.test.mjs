import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { editorTest } from './session.mjs';

editorTest('Enter goes on with a documentation comment, and indents inside a block', {}, async ({ server, open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');
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
