import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';

/** The page of the panel, which is a frame within a frame; and what a person sees of it. */
export function panelOf(editor) {
    const page = editor.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
    return {
        page,
        steps: page.locator('#steps'),
        selected: page.locator('.step.selected'),
        where: page.locator('#where'),
        told: page.locator('#told'),
        value: name => page.locator('.variable', { has: editor.page.locator(`.name:text-is("${name}")`) }),
        async at(text) {
            await page.locator('#where', { hasText: text }).waitFor();
        },
    };
}

/** Opens the panel by the line over the property. */
export async function openByLens(editor, file, property) {
    await editor.openFile(file);
    await editor.clickLens(`${property}: ✗`, 'show the run', editor.page.locator('.tab', { hasText: `Trace of ${property}` }));
    return panelOf(editor);
}

/** Waits until that stands at the ends of lines about the steps of a trace. */
export async function untilLineNotes(editor, wanted) {
    for (const end = Date.now() + 60_000; ; ) {
        const notes = await lineNotes(editor);
        if (isDeepStrictEqual(notes, wanted)) {
            return;
        }
        assert.ok(Date.now() < end, `${JSON.stringify(notes)} and not ${JSON.stringify(wanted)}`);
        await editor.page.waitForFunction(() => new Promise(done => requestAnimationFrame(() => done(true))));
    }
}

async function lineNotes(editor) {
    const notes = await editor.page.evaluate(() =>
        [...document.querySelectorAll('.monaco-editor .view-line span')]
            .map(part => getComputedStyle(part, '::after').content.replace(/\u00a0/g, ' '))
            .filter(text => /steps? \d/.test(text)),
    );
    return notes.map(text => text.replace(/"/g, '').trim());
}
