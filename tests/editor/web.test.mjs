import assert from 'node:assert/strict';
import { editorTest, keepPicture } from './session.mjs';

/** The package for the web, run where it would be: in the browser, away from the machine that has the files. */
const inTheBrowser = {
    vsix: process.env.VSIX_WEB,
    user: { 'remote.extensionKind': { 'stubborn.stubborn': ['web'] } },
};

editorTest('in the browser the package for the web has colours and snippets, and nothing that needs a server', inTheBrowser, async ({ open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');
    await editor.language('Stubborn').waitFor();
    const tokens = editor.page.locator('.view-line span[class^="mtk"]');
    await tokens.filter({ hasText: /^invariant$/ }).first().waitFor();
    const classOf = text => tokens.filter({ hasText: text }).first().getAttribute('class');
    const [keyword, comment, name] = [await classOf(/^invariant$/), await classOf(/Two.workers/), await classOf(/^taken$/)];
    assert.equal(new Set([keyword, comment, name]).size, 3, `${keyword}, ${comment}, ${name}`);

    await editor.page.keyboard.press('Control+End');
    await editor.page.keyboard.type('never');
    await editor.takeSuggestion('What may never be');
    await editor.page.locator('.view-line').filter({ hasText: /invariant\ssafe:\snot\s\(false\)/ }).waitFor();
    await keepPicture(editor, 'web-light');

    // Nothing is offered that only a server could do, and no server is looked for, so that none is missed.
    await editor.page.keyboard.press('F1');
    await editor.page.waitForSelector('.quick-input-widget input', { state: 'visible' });
    await editor.page.keyboard.type('Stubborn:');
    await editor.page.locator('.quick-input-list .monaco-list-row', { hasText: 'No matching commands' }).waitFor();
    await editor.page.keyboard.press('Escape');
    assert.equal(await editor.notifications.count(), 0);
    assert.equal(await editor.squiggles.count(), 0);
    assert.equal(await editor.page.locator('.codelens-decoration').count(), 0);
});
