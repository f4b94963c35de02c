import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openByLens, panelOf, untilLineNotes } from './panel.mjs';
import { editorTest, keepPicture } from './session.mjs';

editorTest('from the line over a property to its trace, stepped by the keyboard, with the text beside it', {}, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    const panel = await openByLens(editor, 'lock.stb', 'mutex');
    // It opens at the step that breaks the property.
    await panel.at('Step 4 of 4');
    await panel.page.locator('#sentence', { hasText: '2 workers are in critical at once' }).waitFor();
    assert.equal(await panel.page.locator('.step').count(), 5);
    assert.match(await panel.selected.innerText(), /worker\(\d\)/);
    // Before the steps stand the values with which they begin.
    assert.equal(await panel.page.locator('.step').first().locator('.changes').innerText(), 'taken = false');
    // The ends of the lines tell the steps, and the line of the step is marked.
    // The foot of the window still tells of the model, and what can be done there is about it.
    await editor.status.filter({ hasText: '1 violated, 3 hold' }).waitFor();
    await panel.steps.click({ position: { x: 200, y: 40 } });
    await editor.page.waitForSelector('.tab.active:has-text("Trace of mutex")');
    await editor.status.filter({ hasText: '1 violated, 3 hold' }).click();
    await editor.choose('Check Now', 'Check Now');
    await editor.status.filter({ hasText: '1 violated, 3 hold' }).waitFor();
    assert.deepEqual(await editor.notifications.allInnerTexts(), []);
    await panel.page.locator('#last').click();
    await panel.at('Step 4 of 4');
    await editor.page.locator('.monaco-editor .view-overlays .cdr.ced-1-0, .monaco-editor .view-overlays [class*="ced-"]').first().waitFor({ state: 'attached' });
    await untilLineNotes(editor, ['steps 1, 2', 'steps 3, 4  ·  3: taken = true']);
    await keepPicture(editor, 'trace-light');

    await panel.steps.click({ position: { x: 200, y: 40 } });
    await panel.page.locator('body').press('Home');
    await panel.at('The start of 4');
    await panel.page.locator('body').press('ArrowDown');
    await panel.at('Step 1 of 4');
    await panel.page.locator('body').press('j');
    await panel.at('Step 2 of 4');
    await panel.page.locator('body').press('k');
    await panel.at('Step 1 of 4');
    assert.match(await panel.told.innerText(), /^Step 1 of 4: worker\(\d\), /);
    // What the step changes is marked, in the table too.
    assert.equal(await panel.page.locator('.variable.changed').count(), await panel.page.locator('.variable .mark:text-is("●")').count());
    await panel.page.locator('body').press('End');
    await panel.at('Step 4 of 4');
    assert.match(await panel.value('taken').innerText(), /true/);

    // For who cannot see it: a grid, whose rows say which they are.
    assert.equal(await panel.steps.getAttribute('role'), 'grid');
    assert.equal(await panel.steps.getAttribute('aria-rowcount'), '5');
    assert.equal(await panel.steps.getAttribute('aria-activedescendant'), 'step-4');
    assert.equal(await panel.page.locator('[role=row][aria-selected=true]').getAttribute('aria-rowindex'), '5');

    // The cursor in the text leads to the step of its line.
    await editor.clickBehind('taken = true', 'taken = true');
    await panel.page.locator('.step.of-line').first().waitFor();
    const line = panel.page.locator('.step.selected .line');
    const lineOfStep = Number(await line.innerText());
    assert.equal(lineOfStep, 9);
});

editorTest('a trace is filtered, asked, and copied', {}, async ({ open }) => {
    const editor = await open();
    await editor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await editor.hideSideBar();
    const panel = await openByLens(editor, 'lock.stb', 'mutex');
    await panel.at('Step 4 of 4');
    await panel.steps.click({ position: { x: 200, y: 40 } });
    await panel.page.locator('body').press('/');
    await panel.page.locator('#filter').pressSequentially('worker(0)');
    await panel.page.locator('#filtered', { hasText: 'of 4 steps' }).waitFor();
    const who = await panel.page.locator('.step .who').allInnerTexts();
    assert.deepEqual(new Set(who.slice(1)), new Set(['worker(0)']));
    await panel.page.locator('#filter').fill('');

    // Of the values those that are asked for, and those that the step has changed.
    const rows = panel.page.locator('#value-rows .variable');
    await rows.first().waitFor();
    const all = await rows.count();
    await panel.page.locator('#variable-filter').fill('taken');
    await rows.nth(1).waitFor({ state: 'hidden' });
    assert.match(await rows.first().innerText(), /taken/);
    await panel.page.locator('#variable-filter').fill('');
    await rows.nth(all - 1).waitFor();
    await panel.page.locator('#last').click();
    await panel.page.locator('#only-changed').check();
    await rows.nth(all - 1).waitFor({ state: 'hidden' });
    assert.equal(await panel.page.locator('#value-rows .variable:not(.changed):visible').count(), 0);
    await panel.page.locator('#only-changed').uncheck();
    await rows.nth(all - 1).waitFor();
    await panel.page.locator('#back').click();

    await panel.page.locator('#watch').fill('count(i in Id: worker(i)@critical)');
    await panel.page.locator('#watch').press('Enter');
    await panel.page.locator('.watched .value:text-is("1"), .watched .value:text-is("0"), .watched .value:text-is("2")').waitFor();
    await panel.page.locator('#watch').fill('takn');
    await panel.page.locator('#watch').press('Enter');
    await panel.page.locator('.watched.wrong .value', { hasText: '`takn` is not known' }).waitFor();
    await panel.page.locator('#last').click();
    await panel.page.locator('.watched .value:text-is("2")').waitFor();

    for (const [form, begins] of [['text', /^mutex is violated/], ['json', /^\s*\{/], ['mermaid', /^sequenceDiagram/], ['svg', /^<svg /]]) {
        await panel.page.locator(`#copy-${form}`).click();
        await panel.told.filter({ hasText: new RegExp(`Copied as ${form}`, 'i') }).waitFor();
        assert.match(await editor.page.evaluate(() => navigator.clipboard.readText()), begins);
    }

    // An edit leaves the trace in sight, and says that it is of the text before.
    await editor.clickBehind('invariant mutex', '<= 1');
    await editor.page.keyboard.type(' + 1');
    await panel.page.locator('#outdated', { hasText: 'Save ' }).waitFor();
    assert.equal(await panel.page.locator('.step').count(), 5);
    // Its lines are not those of the text any more.
    await untilLineNotes(editor, []);
});

editorTest('the hover and the quick fix of a squiggle lead to the step that breaks the property', {}, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    await editor.openFile('lock.stb');
    await editor.squiggles.first().waitFor();
    await editor.page.locator('.codelens-decoration').filter({ hasText: 'mutex: ✗' }).waitFor();
    // Two actions: to rest the mouse on the squiggle, and to click.
    const hover = await editor.hoverOver('invariant mutex', 'mutex', { hasText: 'Show the trace of mutex' });
    await hover.getByText('Show the trace of mutex').click();
    await panelOf(editor).at('Step 4 of 4');
    await editor.page.keyboard.press('Escape');

    await editor.page.locator('.tab', { hasText: 'Trace of mutex' }).locator('.codicon-close').click();
    await editor.page.locator('iframe.webview.ready').waitFor({ state: 'detached' });
    await editor.clickBehind('invariant mutex', 'mutex');
    await editor.page.keyboard.press('Control+.');
    await editor.page.locator('.action-widget').getByText('Show the trace of mutex').waitFor();
    await editor.page.keyboard.press('Enter');
    await panelOf(editor).at('Step 4 of 4');

    // It is made anew, at the same place, when it was hidden.
    const panel = panelOf(editor);
    await panel.page.locator('#back').click();
    await panel.at('Step 3 of 4');
    await editor.openFile('dials.stb');
    await editor.page.locator('.tab', { hasText: 'Trace of mutex' }).click();
    await panel.at('Step 3 of 4');

    // And when the whole window is loaded again.
    await editor.page.reload();
    // The workbench may not have kept yet which tab was in front.
    await editor.page.locator('.tab', { hasText: 'Trace of mutex' }).click();
    await panel.at('Step 3 of 4');
});

/** What a person may do from a squiggle until they see the step that breaks the property. */
const MOST_ACTIONS = 2;

editorTest('from the squiggle of any violated property the step that breaks it is two actions away', {}, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    await editor.openFile('guests.stb');
    await editor.status.filter({ hasText: '5 violated' }).waitFor();
    const squiggles = [
        ['process guest', 'guest', 'deadlock'],
        ['invariant one_waits', 'one_waits', 'one_waits'],
        ['progress fed', 'fed', 'fed(0)'],
        ['ltl eats', 'eats', 'eats'],
    ];
    const panel = panelOf(editor);
    for (const [line, name, property] of squiggles) {
        let actions = 0;
        const link = `Show the trace of ${property}`;
        const hover = await editor.hoverOver(line, name, { hasText: link });
        actions += 1;
        await hover.getByText(link, { exact: true }).click();
        actions += 1;
        await panel.page.locator('#property').filter({ hasText: property }).waitFor();
        await panel.at('Step 2 of 2');
        if (property === 'deadlock') {
            assert.equal(await panel.page.locator('#property').innerText(), 'deadlock');
            const sentence = await panel.page.locator('#sentence').innerText();
            assert.equal(sentence.match(/guest\(0\) at /g)?.length, 1, sentence);
        }
        await editor.leaveText();
        assert.ok(actions <= MOST_ACTIONS, `it takes ${actions} actions to the trace of ${property}`);
    }
});

/** A run of which 20,000 steps are shown at a time, and one at whose end a thousand wait. */
const large = {
    prepare: folder => {
        const counter = 'var a: 0..60000\n\nprocess p {\n    loop { a = (a + 1) % 60001 }\n}\n\n';
        writeFileSync(join(folder, 'far.stb'), `${counter}termination not required\ninvariant big: a != 30000\n`);
        writeFileSync(join(folder, 'crowd.stb'), 'var free: bool\n\nprocess p(i in 0..999) {\n    await free do free = true\n}\n');
        return { 'stubborn.check.budget': 60 };
    },
};

editorTest('a run in pieces opens at the step that breaks the property, and is gone through from end to end', large, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    const panel = await openByLens(editor, 'far.stb', 'big');
    await panel.at('Step 30,000 of 30,000');
    await panel.page.locator('#piece-told', { hasText: 'Steps 10,001 to 30,000 of 30,000 are shown.' }).waitFor();
    assert.match(await panel.value('a').innerText(), /30000/);
    await panel.page.locator('#first').click();
    await panel.at('The start of 30,000');
    assert.match(await panel.page.locator('#piece-told').innerText(), /^Steps 1 to 20,000 /);
    await panel.page.locator('#last').click();
    await panel.at('Step 30,000 of 30,000');
    await panel.page.locator('body').press('Home');
    await panel.at('The start of 30,000');
    // From one piece into the next.
    await panel.page.locator('#piece-last').click();
    await panel.at('Step 30,000 of 30,000');
    await panel.page.locator('#piece-back').click();
    await panel.at('Step 10,000 of 30,000');
    await panel.page.locator('#forward').click();
    await panel.at('Step 10,001 of 30,000');
    await panel.page.locator('#piece-on').click();
    await panel.at('Step 20,000 of 30,000');
    await panel.page.locator('#back').click();
    await panel.at('Step 19,999 of 30,000');

    // It is made anew in the same piece.
    await editor.openFile('dials.stb');
    await editor.page.locator('.tab', { hasText: 'Trace of big' }).click();
    await panel.at('Step 19,999 of 30,000');
});

editorTest('of a thousand who wait the panel names the first ones, and all behind them', large, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    const panel = await openByLens(editor, 'crowd.stb', 'deadlock');
    const sentence = panel.page.locator('#sentence', { hasText: 'and 99' });
    await sentence.waitFor();
    assert.ok((await sentence.innerText()).length < 500);
    const waits = panel.page.locator('#waits');
    await waits.locator('summary', { hasText: 'All 1,000 that wait' }).click();
    assert.equal(await waits.locator('li').count(), 1000);
    assert.equal(await waits.locator('li').first().innerText(), 'p(0) at line 4 waits for `free`');
});

const dark = { prepare: () => ({ 'workbench.colorTheme': 'Default Dark Modern' }) };

editorTest('a cycle, joint steps and messages are drawn, in a dark theme too', dark, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    const panel = await openByLens(editor, 'ring.stb', 'fair_to_all');
    await panel.page.locator('.step.cycle-first').waitFor();
    assert.equal(await panel.page.locator('.step.cycle-last').count(), 1);
    assert.ok((await panel.page.locator('.arrow.sent').count()) > 0);
    assert.ok((await panel.page.locator('.arrow.received').count()) > 0);
    assert.ok((await panel.page.locator('.arrow.joint').count()) > 0);
    await panel.page.locator('#watch').fill('served[1] == 1');
    await panel.page.locator('#watch').press('Enter');
    await panel.page.locator('.watched .value:text-is("false")').waitFor();
    await keepPicture(editor, 'trace-dark');
});

const contrast = { prepare: () => ({ 'workbench.colorTheme': 'Default High Contrast' }) };

editorTest('a trace is drawn in the colours of high contrast', contrast, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    const panel = await openByLens(editor, 'ring.stb', 'fair_to_all');
    await panel.page.locator('.step.cycle-first').waitFor();
    await keepPicture(editor, 'trace-high-contrast');
});

/**
 * Takes some steps, scrolls and jumps, and tells of each how many elements the page put in or changed for it, and how long
 * it took, in milliseconds, from what a key does to what the browser has drawn.
 */
function series(panel) {
    return panel.page.locator('body').evaluate(async () => {
        const drawn = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 0)));
        const did = { step: [], scroll: [], jump: [] };
        const observed = async (name, act) => {
            await drawn();
            let changes = 0;
            const count = records => {
                for (const { addedNodes } of records) {
                    changes += 1;
                    for (const node of addedNodes) {
                        changes += 1 + (node.querySelectorAll?.('*').length ?? 0);
                    }
                }
            };
            const observer = new MutationObserver(count);
            observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
            const begun = performance.now();
            act();
            // What was asked for is laid out and drawn by then.
            document.getElementById('steps').getBoundingClientRect();
            await drawn();
            const time = performance.now() - begun;
            count(observer.takeRecords());
            observer.disconnect();
            did[name].push({ changes, time });
        };
        const press = key => document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        const steps = document.getElementById('steps');
        for (let at = 0; at < 15; at++) {
            await observed('step', () => press('k'));
            await observed('scroll', () => (steps.scrollTop = ((at * 7919) % 5000) * 26));
            await observed('jump', () => press(at % 2 === 0 ? 'Home' : 'End'));
        }
        return did;
    });
}

const patient = { prepare: () => ({ 'stubborn.check.budget': 60 }) };

editorTest('five thousand steps and two hundred variables are stepped and scrolled without a wait', patient, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    const panel = await openByLens(editor, 'long.stb', 'short');
    await panel.at('Step 5,000 of 5,000');
    await keepPicture(editor, 'trace-long');
    // Few rows are on the page, whatever is shown.
    assert.ok((await panel.page.locator('.step').count()) < 100);
    // What the page does for a key, or for a jump of the bar, is told by what it changes: how long that takes depends on who
    // else uses the machine. Two hundred variables and the rows in sight may change, and nothing that grows with the run.
    for (const [what, all] of Object.entries(await series(panel))) {
        const times = all.map(({ time }) => time).toSorted((one, other) => one - other);
        const most = Math.max(...all.map(({ changes }) => changes));
        console.log(`a ${what} takes ${times[Math.floor(times.length / 2)].toFixed(1)} ms in the median, and changes ${most} elements at most`);
        assert.ok(most > 0, `a ${what} changes nothing`);
        assert.ok(most < 2_000, `a ${what} changes ${most} elements`);
    }
});
