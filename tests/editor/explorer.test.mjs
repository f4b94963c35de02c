import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { panelOf } from './panel.mjs';
import { editorTest, keepPicture } from './session.mjs';

/** A tester file of ours, which begins with a comment, and one of another program. */
const withTesters = {
    user: { 'workbench.activityBar.location': 'default', 'workbench.editor.editorActionsLocation': 'default' },
    prepare: folder => {
        writeFileSync(
            join(folder, 'lock.tester'),
            '// What the lock is for.\nuse "lock.stb"\n\ninvariant one_takes_it(i in Id): true\n',
        );
        writeFileSync(join(folder, 'foreign.tester'), '// suite of another program\nsuite smoke {\n    run everything\n}\n');
        return {};
    },
};

editorTest('how the properties stand is seen at the edge, at the foot and among the tests, and an edit makes it outdated', withTesters, async ({ server, open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');

    // At the edge of the text, and at the foot of the window.
    await editor.waitForMarks('violated', 1);
    await editor.waitForMarks('holds', 1);
    await editor.status.filter({ hasText: '1 violated, 3 hold' }).waitFor();

    await editor.page.locator('.codelens-decoration').filter({ hasText: 'mutex: ✗' }).waitFor();
    // What the check found as the file was opened is among the tests already, and nothing has taken the focus.
    assert.equal(await editor.page.locator('.part.panel .testing-results, .test-output-peek').count(), 0);
    await editor.showTests();
    // A tester file that nobody has opened is among them, with what was found of it and its model as that was checked, and is
    // opened where it is run; not one of another program.
    await editor.waitForTestState('lock.tester', /Failed/);
    assert.equal(await editor.test('foreign.tester').count(), 0);
    await editor.expandTest('lock.stb');
    await editor.waitForTestState('mutex', /Failed/);
    await editor.waitForTestState('deadlock', /Passed/);
    await keepPicture(editor, 'tests-light');

    // Run by a person: one fails, with the run that shows it as its message, and one passes.
    await editor.runTest('mutex');
    const results = editor.page.locator('.part.panel');
    await results.locator('.monaco-list-row').filter({ hasText: 'mutex is violated' }).first().click();
    await results.locator('table').first().waitFor();
    assert.match(await results.locator('table tbody tr').last().innerText(), /worker\([01]\)/);
    await results.getByText('Show the trace').waitFor();
    await keepPicture(editor, 'test-failure-light');
    await results.getByText('Show the trace').click();
    await panelOf(editor).at('Step 4 of 4');
    // Closed again, it leaves the text all of the width, so that what is clicked below is in sight.
    await editor.closeTab('Trace of mutex');
    await editor.runTest('deadlock');
    await editor.waitForTestState('deadlock', /Passed/);

    // An edit makes outdated what it touches.
    await editor.openFile('lock.stb');
    await editor.clickBehind('or ', 'await not taken');
    await editor.page.keyboard.type(' do taken = true');
    await editor.page.keyboard.press('ArrowDown');
    await editor.page.keyboard.press('Control+Shift+K');
    await editor.waitForMarks('outdated', 2);
    await editor.status.filter({ hasText: '4 outdated' }).waitFor();
    await editor.toggleColours(true);
    await keepPicture(editor, 'outdated-dark');

    // Checked by itself: the others stay as they are.
    await editor.clickBehind('invariant mutex', 'mutex');
    await editor.command('Stubborn: Check One Property');
    await editor.waitForTestState('mutex', /Passed/);
    await editor.status.filter({ hasText: 'outdated' }).waitFor();

    // Checked by its key, without a save.
    await editor.clickBehind('critical:', 'taken = false');
    await editor.page.keyboard.press('Control+Alt+Enter');
    await editor.waitForMarks('holds', 2);
    await editor.status.filter({ hasText: '4 hold' }).waitFor();
    await editor.waitForTestState('mutex', /Passed/);
    await editor.page.locator('.codelens-decoration').filter({ hasText: 'mutex: ✓' }).waitFor();
    await keepPicture(editor, 'holds-dark');
    await editor.save();

    // In a comment the server has nothing to offer, and the editor offers the words of the text.
    await editor.clickBehind('/// They are never', 'section.');
    await editor.page.keyboard.type(' work');
    await editor.suggest('worker');
    await editor.page.keyboard.press('Escape');
    await editor.save();

    // The trace of a property is on the clipboard once it is copied; of what holds there is none.
    await editor.command('Stubborn: Copy the Trace');
    await editor.notifications.filter({ hasText: 'No trace is known' }).waitFor();
    await editor.page.keyboard.press('Escape');

    await editor.runTest('lock.tester');
    await editor.waitForTestState('lock.tester', /Passed/);
    await editor.expandTest('lock.tester');
    await editor.waitForTestState('one_takes_it', /Passed/);

    // What a save leads to is among the tests by itself, and takes the focus from nobody.
    await editor.openFile('lock.stb');
    await editor.clickBehind('invariant mutex', 'mutex');
    await editor.page.keyboard.press('End');
    await editor.page.keyboard.type(' and false');
    await editor.waitForTestState('mutex', /Passed/);
    await editor.save();
    await editor.waitForTestState('mutex', /Failed/);
    await editor.waitForTestState('deadlock', /Passed/);
    await editor.page.keyboard.type(' or true');
    await editor.save();
    await editor.waitForTestState('mutex', /Passed/);

    // Another program's file stays as it is, and ours is ours though it begins with a comment.
    await editor.openFile('foreign.tester');
    await editor.language('Plain Text').waitFor();
    assert.equal(await editor.squiggles.count(), 0);
    await editor.openFile('lock.tester');
    await editor.language('Stubborn').waitFor();
    await editor.status.filter({ hasText: 'hold' }).waitFor();
    assert.ok(server.folder);
});

/** Two wheels with more settings than a moment is enough for, and of them a property for each of two values. */
const wheels = {
    user: { 'workbench.activityBar.location': 'default' },
    prepare: folder => {
        writeFileSync(
            join(folder, 'wheels.stb'),
            [
                'process wheel(side in 0..1) {',
                '    var at: 0..299',
                '    loop { at = (at + 1) % 300 }',
                '}',
                '',
                'termination not required',
                'invariant behind(i in 0..1): wheel(0).at + wheel(1).at < 599 - i',
                '',
            ].join('\n'),
        );
        return { 'stubborn.check.budget': 0.001 };
    },
};

editorTest('the values of a parameter are tests below their property, and are run without limits when the user asks for it', wheels, async ({ open }) => {
    const editor = await open();
    await editor.openFile('wheels.stb');
    await editor.status.filter({ hasText: 'undecided' }).waitFor();
    await editor.showTests();
    await editor.expandTest('wheels.stb');
    await editor.test('2 values').filter({ hasText: 'behind' }).waitFor();
    await editor.expandTest('behind');
    const values = editor.page.locator('.test-explorer .monaco-list-row[aria-level="3"]');
    await values.nth(1).waitFor();
    assert.deepEqual((await values.allInnerTexts()).map(row => /^\(\d\)/.exec(row.trim())?.[0]), ['(0)', '(1)']);
    await editor.waitForTestState('(0)', /Errored/);
    await editor.waitForTestState('(1)', /Errored/);

    await editor.runTestUsing('behind', 'Check Without Limits');
    await editor.waitForTestState('(0)', /Passed/);
    await editor.waitForTestState('(1)', /Failed/);
    await editor.waitForTestState('behind', /Failed/);
    await keepPicture(editor, 'values-light');
});

/** A property for each of a thousand values, all of which are violated. */
const family = {
    user: { 'workbench.activityBar.location': 'default' },
    prepare: folder => {
        const wheel = 'param TOP: 500..503 = 500\nvar at: 0..TOP\n\nprocess wheel {\n    loop { at = (at + 1) % (TOP + 1) }\n}\n\n';
        writeFileSync(join(folder, 'family.stb'), `${wheel}termination not required\ninvariant below(i in 0..999): at <= i % 500\n`);
        return { 'stubborn.check.budget': 60 };
    },
};

editorTest('a thousand values of a property are tests as soon as they are decided, whose time is that of the search', family, async ({ open }) => {
    const editor = await open();
    await editor.openFile('lock.stb');
    await editor.status.filter({ hasText: '1 violated' }).waitFor();
    await editor.showTests();
    await editor.openFile('family.stb');
    await editor.status.filter({ hasText: '1000 violated' }).waitFor();
    const decided = Date.now();
    await editor.waitForTestState('family.stb', /Failed/);
    await editor.expandTest('family.stb');
    await editor.waitForTestState('below', /Failed/);
    console.log(`a thousand results are shown ${Date.now() - decided} ms after they are known`);
    // One search has found them all.
    const took = /in ([\d.]+)(m?s)\b/.exec(await editor.testState('below'));
    assert.ok(took !== null && (took[2] === 'ms' || Number(took[1]) < 60), `${took?.[0]}`);

    // What another value of the parameter gives stands over it.
    await editor.page.locator('.monaco-editor .view-line').first().click();
    const asked = { has: editor.page.locator('input'), hasText: 'It is 500 in the text' };
    await editor.commandThatAsks('Stubborn: Check for Other Values of a Parameter', asked);
    await editor.page.keyboard.press('Enter');
    await editor.page.locator('.codelens-decoration').filter({ hasText: 'TOP = 501' }).waitFor();
});

const endless = {
    prepare: folder => {
        const variables = ['a', 'b', 'c', 'd'];
        writeFileSync(
            join(folder, 'endless.stb'),
            `var ${variables.join(', ')}: 0..9999\n\nprocess p {\n    loop {\n${variables
                .map((name, at) => `        ${at === 0 ? 'either' : 'or'} { ${name} = (${name} + 1) % 10000 }\n`)
                .join('')}    }\n}\n\ninvariant sum: a + b + c + d < 1000000\n`,
        );
        return { 'stubborn.check.budget': 0.2 };
    },
};

editorTest('a check without limits says at the foot how far it is, and is stopped there', endless, async ({ open }) => {
    const editor = await open();
    await editor.openFile('endless.stb');
    await editor.status.filter({ hasText: 'undecided' }).waitFor();
    await editor.waitForMarks('undecided', 2);
    await editor.page.locator('.monaco-editor .view-line').first().click();
    await editor.command('Stubborn: Check This File Without a Time Limit');
    await editor.status.filter({ hasText: /endless\.stb: .* states, .*\/s/ }).waitFor();
    await editor.waitForMarks('checking', 2);
    await keepPicture(editor, 'checking-light');
    await editor.status.click();
    await editor.status.filter({ hasText: /^(?!.*states)/ }).waitFor();
    await editor.waitForMarks('undecided', 2);
});
