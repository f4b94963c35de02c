import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { editorTest, keepPicture } from './session.mjs';

const property = 'invariant mutex';

editorTest('a violated property is underlined and explained until the model is mended and saved', {}, async ({ server, open }) => {
    const editor = await open();
    await editor.hideSideBar();
    await editor.openFile('lock.stb');

    // The squiggle lies under the property's name, and under nothing else. What stands over the
    // properties moves the lines once it comes.
    await editor.squiggles.first().waitFor();
    await editor.page.locator('.codelens-decoration').filter({ hasText: 'mutex: ✗' }).waitFor();
    assert.equal(await editor.squiggles.count(), 1);
    const squiggle = await editor.squiggles.boundingBox();
    const name = await editor.placeOf(property, 'mutex');
    assert.ok(Math.abs(squiggle.x - name.x) < 2, `the squiggle begins at ${squiggle.x}, the name at ${name.x}`);
    assert.ok(Math.abs(squiggle.width - name.width) < 2, `the squiggle is ${squiggle.width} wide, the name ${name.width}`);
    assert.ok(Math.abs(squiggle.y - name.y) < 4, `the squiggle is at ${squiggle.y}, the name at ${name.y}`);

    // The Problems panel says in a sentence what is wrong.
    await editor.showProblems();
    await editor.shrinkPanel();
    const problem = editor.problems.filter({ hasText: 'critical' });
    await problem.waitFor();
    assert.match(await problem.innerText(), /stubborn/);

    // The hover shows the run that breaks the property.
    const hover = await editor.hoverOver(property, 'mutex', { has: editor.page.locator('table') });
    const rows = (await hover.locator('table tbody tr').allInnerTexts()).map(row => row.replace(/\s+/g, ' '));
    assert.ok(rows.length >= 4, `the trace has ${rows.length} steps`);
    const last = rows.at(-1);
    assert.match(last, /worker\([01]\).*critical/);
    await editor.enlargeHover();
    await keepPicture(editor, 'violation-light');
    await editor.leaveText();

    // Mended by typing: the test and the taking become one step.
    const text = readFileSync(join(server.folder, 'lock.stb'), 'utf8');
    await editor.clickBehind('or ', 'await not taken');
    await editor.page.keyboard.type(' do taken = true');
    await editor.page.keyboard.press('ArrowDown');
    await editor.page.keyboard.press('Control+Shift+K');
    await editor.save();
    assert.equal(
        readFileSync(join(server.folder, 'lock.stb'), 'utf8'),
        text.replace('await not taken }\n        taken = true', 'await not taken do taken = true }'),
    );
    await editor.squiggles.first().waitFor({ state: 'detached' });
    await editor.page.getByText('No problems have been detected').waitFor();
    await editor.hoverOver(property, 'mutex', { hasText: 'holds' });
    await editor.leaveText();

    // A mistake is told once, though the workbench asks for mistakes and is told of verdicts.
    await editor.clickBehind(property, '<= 1');
    await editor.page.keyboard.type(' + odd');
    await editor.problems.filter({ hasText: '`odd` is not known here' }).waitFor();
    assert.equal(await editor.problems.filter({ hasText: 'odd' }).count(), 1);
});

editorTest('the server inside the package is the one that runs', {}, async ({ server }) => {
    const program = join(server.extension, 'server', 'stubborn');
    assert.match(execFileSync(program, ['help'], { encoding: 'utf8' }), /lsp/);
});
