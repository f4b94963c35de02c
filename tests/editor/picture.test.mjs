import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openByLens } from './panel.mjs';
import { editorTest, keepPicture } from './session.mjs';

/** The page of the picture, a frame within a frame; a trace panel beside it may be another one. */
function pictureOf(editor) {
    const frames = () => editor.page.frames();
    return {
        /** The frame with the picture, once it is there and shows this. */
        async showing(title) {
            const seen = new Set();
            for (const end = Date.now() + 30_000; Date.now() < end; ) {
                for (const frame of frames()) {
                    const heading = await frame.locator('#title').textContent({ timeout: 200 }).catch(() => undefined);
                    if (heading === title) {
                        return frame;
                    }
                    seen.add(heading);
                }
            }
            throw new Error(`no picture shows ${title}; there are ${[...seen].join(', ')}`);
        },
    };
}

editorTest('all states of a small model are drawn, gone through by the keyboard, and copied', {}, async ({ open }) => {
    const editor = await open();
    await editor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await editor.hideSideBar();
    await editor.openFile('lock.stb');
    await editor.page.locator('.codelens-decoration').filter({ hasText: 'mutex: ✗' }).waitFor();
    await editor.command('Stubborn: Show the State Graph');
    const page = await pictureOf(editor).showing('All states');
    const states = Number(/^(\d+) states/.exec(await page.locator('#sentence').innerText())?.[1]);
    assert.ok(states > 10 && states < 60, `${states} states`);
    assert.equal(await page.locator('.node').count(), states);
    assert.equal(await page.locator('.node.initial').count(), 1);
    assert.equal(await page.locator('.node.violation').count(), 0, 'no run is asked for');
    await page.locator('#details-title', { hasText: 'State 0 · the start' }).waitFor();

    await page.locator('#canvas').focus();
    await page.locator('#canvas').press('ArrowDown');
    await page.locator('#details-title:not(:has-text("State 0"))').waitFor();
    await page.locator('#canvas').press('Home');
    await page.locator('#details-title', { hasText: 'State 0' }).waitFor();
    // A step leads to where it is written.
    await page.locator('#details-steps button').first().click();
    await editor.page.locator('.monaco-editor .view-overlays .selected-text').first().waitFor({ state: 'attached' });

    for (const [form, begins] of [['dot', /^digraph "states" \{/], ['svg', /^<svg /]]) {
        await page.locator(`#copy-${form}`).click();
        await page.locator('#note', { hasText: `as ${form.toUpperCase()}` }).waitFor();
        assert.match(await editor.page.evaluate(() => navigator.clipboard.readText()), begins);
    }
});

editorTest('a text that is saved leaves the picture as it is looked at, as long as it is drawn alike', {}, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    await editor.openFile('lock.stb');
    await editor.page.locator('.codelens-decoration').filter({ hasText: 'mutex: ✗' }).waitFor();
    await editor.command('Stubborn: Show the State Graph');
    const page = await pictureOf(editor).showing('All states');
    assert.equal(await page.locator('#file').innerText(), 'lock.stb');
    await page.locator('#canvas').focus();
    await page.locator('#canvas').press('ArrowDown');
    await page.locator('#details-title:not(:has-text("State 0"))').waitFor();
    await page.locator('#larger').click();
    await page.locator('#larger').click();
    const seen = () => page.locator('body').evaluate(() => ({
        title: document.getElementById('details-title').textContent,
        selected: document.querySelector('.node.selected').id,
        width: document.querySelector('#canvas svg').getAttribute('width'),
        left: document.getElementById('canvas').scrollLeft,
        top: document.getElementById('canvas').scrollTop,
    }));
    const before = await seen();
    // Told when it is drawn once more, which cannot be seen.
    await page.locator('body').evaluate(() => {
        window.addEventListener('message', event => event.data.type === 'picture' && (document.body.dataset.drawn = 'anew'));
    });
    await editor.clickBehind('/// Two workers', 'Two workers');
    await editor.page.keyboard.type(' of a kind');
    await editor.save();
    await page.locator('body[data-drawn=anew]').waitFor();
    assert.deepEqual(await seen(), before);
    // A line more moves what is below it, and the places that are named after their lines.
    await page.locator('body').evaluate(() => delete document.body.dataset.drawn);
    await editor.clickBehind('/// Two workers', 'of a kind');
    await editor.page.keyboard.press('Enter');
    await editor.page.keyboard.type('/// ');
    await editor.save();
    await page.locator('body[data-drawn=anew]').waitFor();
    const { title, selected, left, top } = before;
    const after = await seen();
    assert.deepEqual({ title: after.title, selected: after.selected, left: after.left, top: after.top }, { title, selected, left, top });
    // Its places are those of the text as it is: the steps lead there.
    await page.locator('#details-steps button').first().click();
    await editor.page.locator('.monaco-editor .view-overlays .selected-text').first().waitFor({ state: 'attached' });
    // Another picture is drawn from its beginning.
    await editor.clickBehind('type Id', '0..1');
    await editor.page.keyboard.press('Backspace');
    await editor.page.keyboard.type('0');
    await editor.save();
    await page.locator('#details-title', { hasText: 'State 0' }).waitFor();
});

editorTest('a picture that another file hides is there again as it was looked at', {}, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    await editor.openFile('lock.stb');
    await editor.page.locator('.codelens-decoration').filter({ hasText: 'mutex: ✗' }).waitFor();
    await editor.command('Stubborn: Show the State Graph');
    const page = await pictureOf(editor).showing('All states');
    await page.locator('#canvas').focus();
    await page.locator('#canvas').press('ArrowDown');
    await page.locator('#details-title:not(:has-text("State 0"))').waitFor();
    await page.locator('#larger').click();
    const seen = of => of.locator('body').evaluate(() => ({
        title: document.getElementById('details-title').textContent,
        selected: document.querySelector('.node.selected').id,
        width: document.querySelector('#canvas svg').getAttribute('width'),
    }));
    const before = await seen(page);
    // In its place, as it has the focus.
    await page.locator('#canvas').focus();
    await editor.openFile('dials.stb');
    await editor.closeTab('dials.stb');
    const again = await pictureOf(editor).showing('All states');
    await again.locator('.node.selected').waitFor({ state: 'attached' });
    assert.notEqual(again, page, 'the page is another one');
    assert.deepEqual(await seen(again), before);
});

editorTest('the run of a violated property is shown among the states, and in one process', {}, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    const panel = await openByLens(editor, 'lock.stb', 'mutex');
    await panel.at('Step 4 of 4');
    await panel.page.locator('#states').click();
    const picture = pictureOf(editor);
    const page = await picture.showing('All states, with the run of mutex');
    assert.equal(await page.locator('.node.violation').count(), 1);
    assert.equal(await page.locator('.edge.on-run').count(), 4);
    await page.locator('#details-title', { hasText: 'the run ends here' }).waitFor();
    await editor.command('View: Toggle Maximize Editor Group');
    // With more room it is drawn larger, by itself.
    await page.waitForFunction(() => {
        const [room, drawing] = ['#canvas', '#canvas svg'].map(name => document.querySelector(name).getBoundingClientRect());
        return room.width > 900 && drawing.width <= room.width && drawing.height <= room.height;
    });
    await keepPicture(editor, 'states-light');
    await editor.command('View: Toggle Maximize Editor Group');

    await page.locator('#what').selectOption('worker(1)');
    await picture.showing('worker(1), with the run of mutex');
    await page.locator('.node.violation .name', { hasText: 'critical' }).waitFor();
    await keepPicture(editor, 'process-light');
    await page.locator('.node.violation').click();
    await editor.page.locator('.monaco-editor .view-overlays .selected-text').first().waitFor({ state: 'attached' });
});

const large = {
    prepare: folder => {
        const counters = ['x', 'y'].map(name => `process set_${name} { loop { ${name} = any 0..40 } }\n`).join('');
        writeFileSync(join(folder, 'sum.stb'), `var x, y: 0..40\n${counters}termination not required\ninvariant low: x + y < 60\n`);
        return {};
    },
};

editorTest('of states that are too many that level is marked in which the run of a property ends', large, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    const panel = await openByLens(editor, 'sum.stb', 'low');
    await panel.at('Step 2 of 2');
    await panel.page.locator('#states').click();
    const page = await pictureOf(editor).showing('How the state space grows, with the run of low');
    assert.match(await page.locator('#sentence').innerText(), /the run of `low` has 2 steps and ends 2 steps from the start/);
    assert.deepEqual(await page.locator('#levels tr.violation th').allInnerTexts(), ['2']);
    assert.match(await page.locator('#levels tr.violation').innerText(), /the run ends here/);
    await keepPicture(editor, 'levels-violation-light');
});

const dark = { prepare: () => ({ 'workbench.colorTheme': 'Default Dark Modern' }) };

editorTest('of states that are too many it is shown how they grow, and the process at the cursor is drawn', dark, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    await editor.openFile('counters.stb');
    await editor.command('Stubborn: Show the State Graph');
    const picture = pictureOf(editor);
    const page = await picture.showing('How the state space grows');
    assert.match(await page.locator('#sentence').innerText(), /^1,681 states can be reached, by at most 2 steps: too much to draw; counted by a search for this picture alone, .*\.$/);
    assert.deepEqual(await page.locator('#levels tbody td:nth-child(2)').allInnerTexts(), ['1', '80', '1,600']);
    // Beside them stands what the search for the properties has found.
    await page.locator('#searches li', { hasText: 'Found in the search for errors and 1 more: 1 state, all of what they depend on.' }).waitFor();
    assert.deepEqual(await page.locator('#levels thead th').allInnerTexts(), ['Steps', 'All states', 'errors and 1 more', 'As a bar']);
    // Numbers are no picture: none is offered to be copied, or to be made larger.
    for (const hidden of ['#copy', '#size']) {
        assert.equal(await page.locator(hidden).isVisible(), false, hidden);
    }
    await keepPicture(editor, 'levels-dark');
    await page.locator('#statements button', { hasText: 'y = any 0..40' }).click();
    await editor.page.locator('.monaco-editor .view-overlays .selected-text').first().waitFor({ state: 'attached' });

    await editor.clickBehind('process down', 'loop');
    await editor.command('Stubborn: Show the Graph of This Process');
    await picture.showing('down');
    assert.equal(await page.locator('.node').count(), 1);
    await keepPicture(editor, 'process-dark');
});
