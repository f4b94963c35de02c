import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openByLens } from './panel.mjs';
import { editorTest, keepPicture } from './session.mjs';

/** A model with more variables than there is room for. */
const many = {
    prepare: folder => {
        const names = Array.from({ length: 60 }, (_, at) => `v${at}`);
        writeFileSync(
            join(folder, 'many.stb'),
            `var ${names.join(', ')}: 0..1\n\nprocess p {\n    ${names.slice(0, 4).map(name => `${name} = 1`).join('\n    ')}\n}\n\ninvariant few: v3 == 0\n`,
        );
        return {};
    },
};

editorTest('with the keyboard in the values their table is scrolled, and the run stays where it is', many, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    const panel = await openByLens(editor, 'many.stb', 'few');
    await panel.at('Step 4 of 4');
    const values = panel.page.locator('#values');
    /** Waits until the table is scrolled so far: at least, and at most, of the way from its start to its end. */
    const scrolled = (least, most) =>
        values.evaluate(
            (table, [least, most]) =>
                new Promise(resolve => {
                    const look = () => {
                        const part = table.scrollTop / (table.scrollHeight - table.clientHeight);
                        part >= least && part <= most ? resolve() : requestAnimationFrame(look);
                    };
                    look();
                }),
            [least, most],
        );
    await values.focus();
    await values.press('ArrowDown');
    await scrolled(0.01, 0.2);
    await values.press('End');
    await scrolled(0.99, 1.01);
    await values.press('PageUp');
    await scrolled(0.05, 0.9);
    await values.press('Home');
    await scrolled(0, 0);
    await values.press('PageDown');
    await scrolled(0.1, 1.01);
    assert.equal(await panel.where.innerText(), 'Step 4 of 4');
    // Elsewhere the same keys step, and letters do so there, too.
    await values.press('k');
    await panel.at('Step 3 of 4');
    await panel.steps.press('Home');
    await panel.at('The start of 4');
    await panel.steps.press('PageDown');
    await panel.at('Step 4 of 4');
});

/** What the editor says to the server is kept, in a file beside the folder of the models. */
const kept = {
    prepare: folder => {
        const home = dirname(folder);
        const program = join(home, 'kept-stubborn');
        writeFileSync(program, `#!/bin/sh\ntee '${home}/said' | '${home}'/extensions/stubborn.*/server/stubborn "$@"\n`, { mode: 0o755 });
        return { 'stubborn.server.path': program };
    },
};

editorTest('an expression is asked for once along a trace, and once more when the text is another one', kept, async ({ server, open }) => {
    const editor = await open();
    await editor.hideSideBar();
    const panel = await openByLens(editor, 'lock.stb', 'mutex');
    await panel.at('Step 4 of 4');
    const asked = method => readFileSync(join(dirname(server.folder), 'said'), 'utf8').split(`"stubborn/${method}"`).length - 1;
    const until = async (isSo, what) => {
        for (const end = Date.now() + 30_000; !isSo(); ) {
            assert.ok(Date.now() < end, `not so: ${what}; ${asked('trace')} traces, ${asked('evaluate')} expressions`);
            await editor.page.waitForTimeout(100);
        }
    };
    for (const [expression, value] of [['taken', 'true'], ['count(i in Id: worker(i)@critical)', '2']]) {
        await panel.page.locator('#watch').fill(expression);
        await panel.page.locator('#watch').press('Enter');
        await panel.page.locator('.watched').filter({ hasText: expression }).locator(`.value:text-is("${value}")`).waitFor();
    }
    await until(() => asked('evaluate') === 2, 'each is asked for once');
    // The trace is asked for when it is shown once more, and when the verdicts of the file are told.
    const traces = asked('trace');
    await editor.clickLens('mutex: ✗', 'show the run', editor.page.locator('.tab', { hasText: 'Trace of mutex' }));
    await until(() => asked('trace') > traces, 'the trace is asked for once more');
    await panel.page.locator('.watched .value:text-is("2")').waitFor();
    await editor.openFile('dials.stb');
    await editor.page.locator('.tab', { hasText: 'Trace of mutex' }).click();
    await panel.page.locator('.watched .value:text-is("2")').waitFor();
    assert.equal(asked('evaluate'), 2);
    // A step goes nowhere else for what is known of all states.
    await panel.page.locator('#back').click();
    await panel.at('Step 3 of 4');
    assert.equal(asked('evaluate'), 2);
    // What stands in the text may have a say in an expression.
    // Beside the panel: opened over it, it would hide the page, which then asks for nothing until it is seen again.
    await editor.page.locator('.tab[data-resource-name="lock.stb"]').first().click();
    await editor.clickBehind('/// They are never', 'They are never');
    await editor.page.keyboard.type(' ever');
    await editor.save();
    await until(() => asked('evaluate') >= 4, 'each is asked for once more');
    await panel.page.locator('.watched .value:text-is("true")').waitFor();
});

editorTest('a panel names its file, and stays with a property that gets another name', {}, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    const panel = await openByLens(editor, 'lock.stb', 'mutex');
    await panel.at('Step 4 of 4');
    assert.equal(await panel.page.locator('#file').innerText(), 'lock.stb');
    await editor.clickBehind('invariant mutex', 'mutex');
    await editor.page.keyboard.press('F2');
    // The name is chosen in it, so that what is typed takes its place.
    const box = editor.page.locator('.rename-box input');
    await editor.page.locator('.rename-box input:focus').waitFor();
    assert.equal(await box.inputValue(), 'mutex');
    await editor.page.keyboard.type('alone');
    await editor.page.keyboard.press('Enter');
    await editor.page.locator('.view-line').filter({ hasText: /invariant\salone/ }).waitFor();
    await editor.page.locator('.tab', { hasText: 'Trace of alone' }).waitFor();
    await editor.save();
    await panel.page.locator('#property', { hasText: 'invariant alone' }).waitFor();
    await panel.page.locator('#outdated').waitFor({ state: 'hidden' });
    await panel.at('Step 4 of 4');
});

/** What of the changes of a step can be seen: all of the cell is within the steps, and the steps are not covered. */
function changesSeen(panel) {
    return panel.page.locator('.step.selected .changes').evaluate(cell => {
        const [cellBox, steps] = [cell, document.getElementById('steps')].map(one => one.getBoundingClientRect());
        const style = getComputedStyle(cell);
        return { width: cellBox.width, beyond: cellBox.right - steps.right, tells: style.textOverflow, scrolls: document.getElementById('steps').scrollWidth - steps.width };
    });
}

for (const [theme, name] of [['Default Light Modern', 'light'], ['Default Dark Modern', 'dark']]) {
    editorTest(`the changes of a step are in sight in windows of usual widths, in ${name} colours`, { prepare: () => ({ 'workbench.colorTheme': theme }) }, async ({ open }) => {
        const editor = await open();
        const panel = await openByLens(editor, 'ring.stb', 'fair_to_all');
        await panel.page.locator('.step.cycle-first').waitFor();
        await panel.page.locator('#watch').fill('served[1] == 1');
        await panel.page.locator('#watch').press('Enter');
        await panel.page.locator('.watched .value:text-is("false")').waitFor();
        const wide = async (width, height) => {
            await editor.page.setViewportSize({ width, height });
            await editor.page.waitForFunction(width => document.querySelector('.monaco-workbench').getBoundingClientRect().width === width, width);
            // The page hears of it later than the window.
            await panel.page.locator('body').evaluate(() => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve, 200))));
            const fits = ({ beyond, scrolls, width }) => beyond <= 0 && scrolls <= 1 && width >= 60;
            let seen = await changesSeen(panel);
            for (const end = Date.now() + 60_000; !fits(seen) && Date.now() < end; seen = await changesSeen(panel)) {
                await panel.page.locator('body').evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)));
            }
            await keepPicture(editor, `trace-${width}${(await editor.page.locator('.part.sidebar').isVisible()) ? '-side-bar' : ''}-${name}`);
            assert.ok(fits(seen), `${width}: ${JSON.stringify(seen)}`);
            assert.equal(seen.tells, 'ellipsis');
        };
        await wide(1920, 1080);
        await wide(1280, 800);
        await editor.hideSideBar();
        await wide(1280, 800);
        await wide(1920, 1080);
    });
}
