import assert from 'node:assert/strict';
import { panelOf } from './panel.mjs';
import { editorTest, keepPicture } from './session.mjs';

/** Chooses a quick fix of the one row of the Problems list that says this. */
async function fix(editor, problem, title) {
    const row = editor.problems.filter({ hasText: problem });
    await row.click();
    // A click shows the text, and the list keeps the keyboard. What can be done is asked for by then, and once it is
    // known the row has a bulb; a key before that is lost.
    await row.locator('.markers-panel-action-quickfix').waitFor();
    await editor.page.keyboard.press('Control+.');
    const item = editor.page.getByRole('menuitem', { name: title, exact: true });
    await item.waitFor();
    // A menu that has only just come takes no click.
    for (const end = Date.now() + 60_000; await item.isVisible(); ) {
        assert.ok(Date.now() < end, `the menu with ${title} stays`);
        await item.click({ timeout: 2_000 }).catch(() => undefined);
        await item.waitFor({ state: 'detached', timeout: 2_000 }).catch(() => undefined);
    }
}

editorTest('the quick fixes of a row in the Problems list lead to the trace, and mend a name', {}, async ({ open }) => {
    const editor = await open();
    await editor.hideSideBar();
    await editor.openFile('lock.stb');
    await editor.squiggles.first().waitFor();
    await editor.page.locator('.codelens-decoration').filter({ hasText: 'mutex: ✗' }).waitFor();
    await editor.showProblems();
    await editor.problems.filter({ hasText: '2 workers are in critical at once' }).waitFor();
    await keepPicture(editor, 'problems-light');
    await fix(editor, '2 workers are in critical at once', 'Show the trace of mutex');
    await panelOf(editor).at('Step 4 of 4');
    await editor.closeTab('Trace of mutex');

    await editor.clickBehind('or ', 'await not taken');
    await editor.page.keyboard.press('Backspace');
    const unknown = '`take` is not known here';
    await editor.problems.filter({ hasText: unknown }).waitFor();
    await fix(editor, unknown, 'Change to `taken`');
    await editor.page.locator('.view-line').filter({ hasText: /await\snot\staken\s}/ }).waitFor();
    await editor.problems.filter({ hasText: unknown }).waitFor({ state: 'detached' });
});
